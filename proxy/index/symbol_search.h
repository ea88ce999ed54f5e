// Finds symbols by name in the index of a project.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

struct SymbolQuery {
  std::string name;                      // `b`, `A::b`, `A.b`, or words of a name and its container
  std::vector<std::int64_t> kinds{};     // only these; empty: any
  std::size_t limit = 0;                 // at most so many rows
  NameFit worst = NameFit::two_letters;  // only names that fit at least so well
  bool with_reasons = false;             // for find_in_index(): a column says why each row is where it is
  // Of a file's absolute path: whether its rows are left out. Null: none are.
  std::function<bool(const std::string& path)> left_out{};
};

struct SymbolsFound {
  // The best first: by name_match.h, without qualifiers (`Table::` of `Table::Open`), then the shorter name,
  // by file_role(), definitions before declarations, types before functions before others, path, line. Of
  // names that have all words each once before its namesakes. Imports only if there is nothing else.
  std::vector<FoundSymbol> rows;
  std::size_t imports = 0;                // of names in `rows`, left out
  std::vector<std::string> near_names{};  // without rows: a few that are nearest to what was looked for
  bool more = false;                      // there are more than the limit
  std::size_t changed_files = 0;          // with rows that are left out since the file has changed
};

// `root`: of the project. Every row is of its file's present content.
Result<SymbolsFound> find_symbols(IndexStore& store, const fs::path& root, const SymbolQuery& query);

}  // namespace symbols::index
