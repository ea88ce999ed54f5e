#include "proxy/index/index_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "proxy/index/exported.h"
#include "proxy/index/index_store.h"
#include "proxy/index/name_match.h"
#include "proxy/index/project_map.h"
#include "table/escape.h"
#include "table/formats/table_format.h"
#include "table/symbol_kind.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

// More files than anybody would choose from.
constexpr std::size_t most_rows = 200;

void keep_only_if_any(std::vector<FoundSymbol>& rows, bool (*wanted)(const FoundSymbol&)) {
  if (std::ranges::any_of(rows, wanted)) std::erase_if(rows, [&](const auto& row) { return !wanted(row); });
}

}  // namespace

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

std::string nothing_found_note(const SymbolQuery& query, const SymbolsFound& found) {
  std::string text = "nothing is called like " + table::quoted(query.name);
  if (!found.near_names.empty()) text += fmt::format("; nearest: {}", fmt::join(found.near_names, ", "));
  return text;
}

std::string more_found_note(std::size_t limit, std::string_view how_to_get_more) {
  return fmt::format("note: only the first {} are shown; more: {}", limit, how_to_get_more);
}

std::string changed_files_note(std::size_t count) {
  return fmt::format("note: {} file{} changed since they were indexed; run symbols index", count,
                     count == 1 ? "" : "s");
}

Result<IndexAnswer> find_in_index(const FoundIndex& place, const SymbolQuery& query,
                                  std::string_view how_to_get_more) {
  Result<IndexStore> store = IndexStore::open(place.file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  const Result<SymbolsFound> found = find_symbols(*store, place.root, query);
  if (!found) return found.error();
  IndexAnswer answer{.is_found = !found->rows.empty()};
  if (answer.is_found) {
    answer.text = found_symbols_text(found->rows, place.root, terminal::NearPaths(place.root));
  } else {
    answer.notes.push_back(nothing_found_note(query, *found));
  }
  if (found->fit == NameFit::one_letter || found->fit == NameFit::two_letters)
    answer.notes.push_back(
        fmt::format("note: nothing is called {}; the first names differ in one or two letters",
                    table::quoted(query.name)));
  if (found->imports > 0)
    answer.notes.push_back(fmt::format("note: {} import{} of these names {} left out", found->imports,
                                       found->imports == 1 ? "" : "s", found->imports == 1 ? "is" : "are"));
  if (found->changed_files > 0) answer.notes.push_back(changed_files_note(found->changed_files));
  if (found->more) answer.notes.push_back(more_found_note(query.limit, how_to_get_more));
  return answer;
}

Result<std::string> folder_in_project(const std::string& given, const fs::path& root) {
  if (given.empty()) return std::string();
  std::error_code failure;
  const fs::path folder = fs::canonical(given, failure);
  if (failure || !fs::is_directory(folder, failure))
    return Error{fmt::format("{} is not a folder", table::quoted(given)),
                 "give a folder of an indexed project"};
  const std::string inside = folder.lexically_relative(root).string();
  if (inside.starts_with(".."))
    return Error{
        fmt::format("{} is not in the project {}", table::quoted(given), table::quoted(root.string())),
        "leave out --root"};
  return inside == "." ? std::string() : inside + '/';
}

Result<IndexAnswer> map_of_index(const FoundIndex& place, const std::string& folder,
                                 const table::TokenLimit& limit, const files::IgnoredPaths& ignored) {
  Result<IndexStore> store = IndexStore::open(place.file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  Result<std::vector<OutlinedFile>> outlines = store->outlines();
  if (!outlines) return outlines.error();
  const std::string root = (place.root / "").string();
  std::erase_if(*outlines, [&](const OutlinedFile& file) { return ignored.leaves_out(root + file.path); });
  const std::size_t changed = std::erase_if(*outlines, [&](const OutlinedFile& file) {
    return file.path.starts_with(folder) && !file.content.is_of(root + file.path);
  });
  IndexAnswer answer;
  if (changed > 0) answer.notes.push_back(changed_files_note(changed));
  const std::vector<MapFile> files = ranked_files(*outlines, folder);
  if (files.empty()) return answer;
  const terminal::NearPaths near(place.root);
  answer.text = project_map(
      files, folder, limit,
      [&](std::string_view path) {
        const std::string name = near.of((place.root / path / "").lexically_normal());
        return name == "." ? "./" : name.ends_with('/') ? name : name + '/';
      },
      [&] {
        auto signatures = store->signatures();
        return signatures ? std::move(*signatures) : std::map<std::string, std::string>();
      });
  return answer;
}

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
  keep_only_if_any(rows, [](const FoundSymbol& row) { return is_type_kind(row.kind); });
  keep_only_if_any(rows, [](const FoundSymbol& row) {
    return row.container.empty() && split_name(row.name).qualifier.empty();
  });

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
