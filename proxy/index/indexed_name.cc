#include "proxy/index/indexed_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "proxy/index/exported.h"
#include "proxy/index/index_place.h"
#include "proxy/index/index_store.h"
#include "proxy/index/name_match.h"
#include "proxy/index/symbol_search.h"
#include "table/formats/table_format.h"
#include "table/symbol_kind.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

// More files than anybody would choose from.
constexpr std::size_t most_rows = 200;

bool is_type_row(const FoundSymbol& row) {
  return is_type_kind(row.kind);
}

bool is_at_top(const FoundSymbol& row) {
  return row.container.empty() && split_name(row.name).qualifier.empty();
}

void keep_only_if_any(std::vector<FoundSymbol>& rows, bool (*wanted)(const FoundSymbol&)) {
  if (std::ranges::any_of(rows, wanted)) std::erase_if(rows, [&](const auto& row) { return !wanted(row); });
}

}  // namespace

Result<NamedFiles> files_with_symbol(const std::string& name, const std::string& start) {
  const Result<FoundIndex> place = find_index(start);
  if (!place) return place.error();
  Result<IndexStore> store = IndexStore::open(place->file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  Result<SymbolsFound> found =
      find_symbols(*store, place->root, {.name = name, .kinds = {}, .limit = most_rows});
  if (!found) return found.error();
  std::vector<FoundSymbol> rows = std::move(found->rows);
  const std::string last(split_name(name).name);
  std::erase_if(
      rows, [&](const FoundSymbol& row) { return row.name != name && split_name(row.name).name != last; });
  keep_only_if_any(rows, is_type_row);
  keep_only_if_any(rows, is_at_top);

  NamedFiles named;
  named.changed_files = found->changed_files;
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  for (const FoundSymbol& row : rows) {
    std::string file = (place->root / row.path).string();
    if (!failure) file = fs::path(file).lexically_proximate(here).string();
    std::string text = fmt::format("{}:{}  {} ", file, row.line + 1, table::kind_name(row.kind));
    table::table_cell_escape.append(text, row.name);
    if (!row.container.empty()) table::table_cell_escape.append(text += " in ", row.container);
    named.places.push_back(std::move(text));
    if (std::ranges::find(named.files, file) == named.files.end()) named.files.push_back(std::move(file));
  }
  return {boost::system::in_place_value, std::move(named)};
}

}  // namespace symbols::index
