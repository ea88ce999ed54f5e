#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "proxy/cli/commands.h"
#include "proxy/cli/tell.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_place.h"
#include "proxy/index/index_store.h"
#include "proxy/index/symbol_search.h"
#include "table/formats/table_words.h"
#include "table/symbol_kind.h"

namespace symbols::cli {
namespace {

namespace fs = std::filesystem;

// Paths as they can be used where the person is: relative in the project, absolute from outside of it.
std::string rows_text(const std::vector<index::FoundSymbol>& rows, const fs::path& root) {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  const bool is_near = !failure && (files::contains(root, here) || files::contains(here, root));
  std::string text;
  for (const index::FoundSymbol& row : rows) {
    const fs::path file = root / row.path;
    table::table_cell_escape.append(text, (is_near ? file.lexically_relative(here) : file).string());
    text += fmt::format(":{}{}{}", row.line + 1, table::table_separator, table::kind_name(row.kind));
    for (const std::string& cell : {row.container, row.name}) {
      text += table::table_separator;
      table::table_cell_escape.append(text, cell);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

int run_find(const FindArguments& arguments) {
  const auto wrong = [](const Error& error) {
    tell(error.text());
    return 1;
  };
  const Result<index::FoundIndex> place = index::find_index(arguments.root.empty() ? "." : arguments.root);
  if (!place) return wrong(place.error());
  Result<index::IndexStore> store =
      index::IndexStore::open(place->file, index::IndexStore::Missing::is_error);
  if (!store) return wrong(store.error());
  const Result<index::SymbolsFound> found = index::find_symbols(
      *store, place->root, {.name = arguments.query, .kinds = arguments.kinds, .limit = arguments.limit});
  if (!found) return wrong(found.error());
  const std::string text = "PLACE | KIND | CONTAINER | NAME\n" + rows_text(found->rows, place->root);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (found->changed_files > 0) {
    tell(fmt::format("note: {} file{} changed since they were indexed; run symbols index",
                     found->changed_files, found->changed_files == 1 ? "" : "s"));
  }
  if (found->more) tell(fmt::format("note: only the first {} are shown; more: --limit N", arguments.limit));
  return written ? 0 : 1;
}

}  // namespace symbols::cli
