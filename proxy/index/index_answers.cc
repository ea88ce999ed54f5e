#include "proxy/index/index_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "proxy/index/index_store.h"
#include "proxy/index/project_map.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/rows.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

// Why a row is where it is, in a few words.
std::string why(const FoundSymbol& row) {
  std::string reason(reason_of(row.fit));
  if (row.role != FileRole::source) reason += row.role == FileRole::built ? ", built" : ", test or vendored";
  if (row.form != RowForm::definition) reason += row.form == RowForm::import ? ", import" : ", declaration";
  return reason;
}

std::string found_symbols_text(const std::vector<FoundSymbol>& rows, const fs::path& root,
                               bool with_reasons) {
  const terminal::NearPaths near(root);
  std::string text = "PLACE | KIND | CONTAINER | NAME";
  text += with_reasons ? " | WHY\n" : "\n";
  for (const FoundSymbol& row : rows) {
    table::table_cell_escape.append(text, near.of(root / row.path));
    text += fmt::format(":{}{}{}", row.line + 1, table::table_separator, table::kind_name(row.kind));
    for (const std::string& cell : {row.container, row.name}) {
      text += table::table_separator;
      table::table_cell_escape.append(text, cell);
    }
    if (with_reasons) text += fmt::format("{}{}", table::table_separator, why(row));
    text += '\n';
  }
  return text;
}

std::string nothing_found_note(const SymbolQuery& query, const SymbolsFound& found) {
  std::string text = fmt::format("nothing {}is called like {}", query.kinds.empty() ? "" : "of these kinds ",
                                 table::quoted(query.name));
  if (!found.near_names.empty()) text += fmt::format("; nearest: {}", fmt::join(found.near_names, ", "));
  return text;
}

}  // namespace

void add_errors_note(IndexStore& store, std::vector<std::string>& notes) {
  const Result<std::string> errors = store.errors_note();
  if (errors && !errors->empty()) notes.push_back("note: " + *errors);
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
    answer.text = found_symbols_text(found->rows, place.root, query.with_reasons);
  } else {
    answer.notes.push_back(nothing_found_note(query, *found));
    add_errors_note(*store, answer.notes);
  }
  const NameFit fit = answer.is_found ? found->rows.front().fit : NameFit::exact_case;
  if (fit == NameFit::one_letter || fit == NameFit::two_letters)
    answer.notes.push_back(
        fmt::format("note: nothing is called {}; the first names differ in one or two letters",
                    table::quoted(query.name)));
  if (found->imports > 0)
    answer.notes.push_back(fmt::format("note: {} import{} of these names {} left out", found->imports,
                                       found->imports == 1 ? "" : "s", found->imports == 1 ? "is" : "are"));
  if (found->changed_files > 0) answer.notes.push_back(changed_files_note(found->changed_files));
  if (found->more)
    answer.notes.push_back(
        fmt::format("note: only the first {} are shown; more: {}", query.limit, how_to_get_more));
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
  add_errors_note(*store, answer.notes);
  const std::vector<MapFile> files = ranked_files(*outlines, folder);
  if (files.empty()) return answer;
  const terminal::NearPaths near(place.root);
  answer.text = project_map(files, folder, limit, [&](std::string_view path) {
    const std::string name = near.of((place.root / path / "").lexically_normal());
    return name == "." ? "./" : name.ends_with('/') ? name : name + '/';
  });
  return answer;
}

}  // namespace symbols::index
