// What `symbols find` and `symbols map` answer from an index, for every door that asks, and the file of a
// symbol of which only the name is known (`symbols context NAME`).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/index/index_place.h"
#include "proxy/index/symbol_search.h"
#include "table/token_estimate.h"

namespace symbols::index {

// The budget of a map, if none is given.
inline constexpr std::size_t map_tokens = 4000;

struct IndexAnswer {
  std::string text{};
  std::vector<std::string> notes{};  // what is left out of it, for standard error
  bool is_found = true;              // else the text is empty, and a note has the reason
};

// The symbols with such a name. Errors: of the database. `how_to_get_more`: the option or argument to give.
Result<IndexAnswer> find_in_index(const FoundIndex& place, const SymbolQuery& query,
                                  std::string_view how_to_get_more = "--limit N");

// The outline of the project, or of `folder` in it: relative to the root, with a slash at its end; empty for
// the root. `ignored`: files that are left out. Its text is empty if the index has no file there. Errors: of
// the database.
Result<IndexAnswer> map_of_index(const FoundIndex& place, const std::string& folder,
                                 const table::TokenLimit& limit, const files::IgnoredPaths& ignored);

// The folder `given`, as map_of_index takes it. Error: it is none, or not in the project at `root`.
Result<std::string> folder_in_project(const std::string& given, const std::filesystem::path& root);

struct NamedFiles {
  std::vector<std::string> files{};   // usable from the current folder, each once, the best first
  std::vector<std::string> places{};  // `FILE:LINE  Kind name in container  its line`, one for each symbol
  std::optional<lsp::Position> position{};  // of the only symbol, in UTF-16
  std::size_t passed_over = 0;              // symbols that have the name, too, and are something else
  bool are_imports = false;                 // the project only imports the name
  std::vector<std::string> near_names{};    // if none has it
  std::vector<std::string> notes{};         // what was not considered
};

// Files that declare `name` (a last component, or `A::b`) by the index of the project around `start`, a
// folder. If types have the name, theirs; else those of symbols at top level, else those that are not
// variables, if there are any; of these definitions without their declarations elsewhere, sources without
// what is built from them, and no imports. Empty: none has it. Errors: there is no index, or it cannot be
// read.
Result<NamedFiles> files_with_symbol(const std::string& name, const std::string& start);

}  // namespace symbols::index
