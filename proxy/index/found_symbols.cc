#include "proxy/index/found_symbols.h"

#include <fmt/format.h>

#include "table/formats/table_words.h"
#include "table/symbol_kind.h"

namespace symbols::index {

std::string found_symbols_text(const std::vector<FoundSymbol>& rows, const std::filesystem::path& root,
                               const terminal::NearPaths& near) {
  std::string text = "PLACE | KIND | CONTAINER | NAME\n";
  for (const FoundSymbol& row : rows) {
    table::table_cell_escape.append(text, near.of(root / row.path));
    text += fmt::format(":{}{}{}", row.line + 1, table::table_separator, table::kind_name(row.kind));
    for (const std::string& cell : {row.container, row.name}) {
      text += table::table_separator;
      table::table_cell_escape.append(text, cell);
    }
    text += '\n';
  }
  return text;
}

std::string more_found_note(std::size_t limit, std::string_view how_to_get_more) {
  return fmt::format("note: only the first {} are shown; more: {}", limit, how_to_get_more);
}

std::string changed_files_note(std::size_t count) {
  return fmt::format("note: {} file{} changed since they were indexed; run symbols index", count,
                     count == 1 ? "" : "s");
}

}  // namespace symbols::index
