// What the commands and MCP answer from an index: `symbols find`, `symbols map`, `--from-index`, and which
// symbol `symbols context NAME` is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/index/index_store.h"
#include "proxy/index/symbol_search.h"
#include "proxy/output/document_run.h"
#include "proxy/terminal/terminal.h"
#include "table/token_estimate.h"

namespace symbols::index {

// The budget of a map, if none is given.
inline constexpr std::size_t map_tokens = 4000;

// A note about `count` files of the index that are left out.
std::string changed_files_note(std::size_t count);
// Adds what IndexStore::errors_note() has: names may be missing for it.
void add_errors_note(IndexStore& store, std::vector<std::string>& notes);

struct IndexAnswer {
  std::string text{};
  std::vector<std::string> notes{};  // what is left out of it, for standard error
  bool is_found = true;              // else the text is empty, and a note has the reason
};

// The symbols with such a name. Errors: of the database. `how_to_get_more`: the option or argument to give.
Result<IndexAnswer> find_in_index(const FoundIndex& place, const SymbolQuery& query,
                                  std::string_view how_to_get_more = "--limit N");

// The outline of the project, or of `folder` in it: relative to the root, with a slash at its end; empty for
// the root. `ignored`: files to leave out. Empty if the index has no file there. Errors: of the database.
Result<IndexAnswer> map_of_index(const FoundIndex& place, const std::string& folder,
                                 const table::TokenLimit& limit, const files::IgnoredPaths& ignored);

// The folder `given`, as map_of_index takes it. Error: it is none, or not in the project at `root`.
Result<std::string> folder_in_project(const std::string& given, const fs::path& root);

// `--from-index`: rows of the index in place of asking a server, for the documents for which they still hold.
// As output::run_documents, with the same output. Where hovers or diagnostics are asked for, 2, and where
// there is no index, 1, having said so.
int run_from_index(const output::Dump& dump);

// `symbols context` before it runs. The document may have to be found in the index. Reads the environment and
// the configuration files. `console`: that of the standard output; paths are shown from the working folder.
// In prepare_context.cc.
std::variant<output::Dump, output::ContextRefusal> prepare_context(const output::ContextArguments& given,
                                                                   const terminal::Console& console);

}  // namespace symbols::index
