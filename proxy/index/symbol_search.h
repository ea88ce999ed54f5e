// Finds symbols by name in the index of a project.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

struct SymbolQuery {
  std::string name;                   // `b`, `A::b` or `A.b`
  std::vector<std::int64_t> kinds{};  // only these; empty: any
  std::size_t limit = 0;              // at most so many rows
  // Of a file's absolute path: whether its rows are left out. Null: none are.
  std::function<bool(const std::string& path)> left_out{};
};

struct SymbolsFound {
  // The best first: by name_match.h, a name itself before one with a qualifier (`Table::Open`), then the
  // shorter name, types before functions before others, path, line.
  std::vector<FoundSymbol> rows;
  bool more = false;              // there are more than the limit
  std::size_t changed_files = 0;  // with rows that are left out since the file has changed
};

// `root`: of the project. Every row is of its file's present content.
Result<SymbolsFound> find_symbols(IndexStore& store, const std::filesystem::path& root,
                                  const SymbolQuery& query);

// The same choice and order for symbols that somebody else has found, such as a server. Each place once.
SymbolsFound best_symbols(std::vector<FoundSymbol> symbols, const SymbolQuery& query);

}  // namespace symbols::index
