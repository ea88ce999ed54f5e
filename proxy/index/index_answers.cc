#include "proxy/index/index_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/position_encoding.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/index/exported.h"
#include "proxy/index/index_store.h"
#include "proxy/index/name_match.h"
#include "proxy/index/project_map.h"
#include "proxy/terminal/near_path.h"
#include "table/escape.h"
#include "table/formats/table_format.h"
#include "table/symbol_kind.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

// More files than anybody would choose from.
constexpr std::size_t most_rows = 200;
constexpr std::size_t most_listed = 20;  // a screen
constexpr std::size_t longest_line = 100;

// How many were not.
template <class Wanted>
std::size_t keep_only_if_any(std::vector<FoundSymbol>& rows, Wanted wanted) {
  if (std::ranges::none_of(rows, wanted)) return 0;
  return std::erase_if(rows, [&](const auto& row) { return !wanted(row); });
}

// A prototype and its function, a class and its forward declaration.
bool are_one_thing(const FoundSymbol& one, const FoundSymbol& other) {
  return is_type_kind(one.kind) == is_type_kind(other.kind) &&
         is_function_kind(one.kind) == is_function_kind(other.kind) &&
         may_be_one_scope(scope_of(one.container, one.name), scope_of(other.container, other.name));
}

void drop_declarations_of_defined(std::vector<FoundSymbol>& rows) {
  const auto others = std::stable_partition(
      rows.begin(), rows.end(), [](const FoundSymbol& row) { return row.form == RowForm::definition; });
  const std::vector<FoundSymbol> defined(rows.begin(), others);
  std::erase_if(rows, [&](const FoundSymbol& row) {
    return row.form == RowForm::declaration &&
           std::ranges::any_of(defined, [&](const auto& one) { return are_one_thing(row, one); });
  });
}

// It tells overloads and methods of one name apart.
std::string source_line(const std::string& file, std::uint32_t number) {
  Result<std::string> bytes =
      files::read_regular_file(file, files::max_source_bytes, files::Symlinks::refuse);
  if (!bytes) return {};
  const Result<files::SourceText> source = files::decode_source_text(std::move(*bytes), file);
  const std::vector<std::string_view> lines = split(source ? std::string_view(source->text) : "", '\n');
  if (number >= lines.size()) return {};
  const std::string_view line = trim(lines[number]);
  return std::string(line.substr(0, lsp::bytes_of_units(line, longest_line, lsp::PositionEncoding::utf16)));
}

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

std::string changed_files_note(std::size_t count) {
  return fmt::format("note: {} file{} changed since they were indexed; run symbols index", count,
                     count == 1 ? "" : "s");
}

}  // namespace

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
      find_symbols(*store, place->root, {.name = name, .limit = most_rows, .worst = NameFit::exact_case});
  if (!found) return found.error();
  std::vector<FoundSymbol> rows = std::move(found->rows);
  drop_declarations_of_defined(rows);
  keep_only_if_any(rows, [](const FoundSymbol& row) { return row.role != FileRole::built; });
  NamedFiles named{.near_names = std::move(found->near_names)};
  if (found->changed_files > 0) named.notes.push_back(changed_files_note(found->changed_files));
  if (found->more)
    named.notes.push_back(
        fmt::format("note: only the first {} symbols of that name are considered", most_rows));
  keep_only_if_any(rows, [](const FoundSymbol& row) { return row.kind != constructor_kind; });
  named.passed_over = keep_only_if_any(rows, [](const FoundSymbol& row) { return is_type_kind(row.kind); });
  const auto is_top = [](const FoundSymbol& row) {
    return row.container.empty() && split_name(row.name).qualifier.empty();
  };
  named.passed_over += keep_only_if_any(rows, is_top);
  named.passed_over += keep_only_if_any(rows, [is_top](const FoundSymbol& row) {
    return is_top(row) || (row.kind != variable_kind && row.kind != constant_kind);
  });
  if (rows.size() == 1) named.position = lsp::Position{rows[0].line, rows[0].column};
  named.are_imports = !rows.empty() && rows[0].form == RowForm::import;
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  for (const FoundSymbol& row : rows) {
    std::string file = (place->root / row.path).string();
    if (!failure) file = fs::path(file).lexically_proximate(here).string();
    std::string text = fmt::format("{}:{}  {} ", file, row.line + 1, table::kind_name(row.kind));
    table::table_cell_escape.append(text, row.name);
    if (!row.container.empty()) table::table_cell_escape.append(text += " in ", row.container);
    if (named.places.size() < most_listed)
      table::table_cell_escape.append(text += "  ", source_line((place->root / row.path).string(), row.line));
    named.places.push_back(std::move(text));
    if (std::ranges::find(named.files, file) == named.files.end()) named.files.push_back(std::move(file));
  }
  return {boost::system::in_place_value, std::move(named)};
}

}  // namespace symbols::index
