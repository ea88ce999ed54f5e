#include "proxy/index/named_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/symbol_search.h"
#include "proxy/terminal/terminal.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/rows.h"

namespace symbols::index {
namespace {

using files::Language;

// More than a user would choose from.
constexpr std::size_t max_rows = 200;
constexpr std::size_t max_line = 100;

// A prototype and its function, a class and its forward declaration.
bool are_one_thing(const FoundSymbol& one, const FoundSymbol& other) {
  return lsp::is_type_kind(one.kind) == lsp::is_type_kind(other.kind) &&
         lsp::is_function_kind(one.kind) == lsp::is_function_kind(other.kind) &&
         may_be_one_scope(scope_of(one.container, one.name), scope_of(other.container, other.name));
}

// The file, or for C and C++ a header and its source: these share their scopes.
fs::path unit_of(const FoundSymbol& row) {
  const Language language = files::language_of(row.path);
  const bool is_c = files::is_c(language);
  return is_c ? fs::path(row.path).replace_extension() : fs::path(row.path);
}

void drop_declarations_of_defined(std::vector<FoundSymbol>& rows) {
  std::vector<FoundSymbol> defined;
  std::ranges::copy_if(rows, std::back_inserter(defined),
                       [](const FoundSymbol& row) { return row.form == RowForm::definition; });
  std::erase_if(rows, [&](const FoundSymbol& row) {
    return row.form == RowForm::declaration && std::ranges::any_of(defined, [&](const FoundSymbol& one) {
             return are_one_thing(row, one) && (!lsp::is_function_kind(row.kind) || row.detail == one.detail);
           });
  });
}

// The lowest is the best.
auto rank_of(const FoundSymbol& row) {
  const bool is_in_namespace = row.container_kind == lsp::SymbolKind::module ||
                               row.container_kind == lsp::SymbolKind::namespace_ ||
                               row.container_kind == lsp::SymbolKind::package;
  const bool is_top = (row.container.empty() || is_in_namespace) && split_name(row.name).qualifier.empty();
  // Also what an object is made with: `{ name, … }`.
  const bool is_local =
      !lsp::is_type_kind(row.kind) && !lsp::is_function_kind(row.kind) &&
      (lsp::is_function_kind(row.container_kind) || row.container_kind == lsp::SymbolKind::variable ||
       row.container_kind == lsp::SymbolKind::constant);
  return std::tuple(row.form == RowForm::import, is_local, row.role, row.kind == lsp::SymbolKind::constructor,
                    !lsp::is_type_kind(row.kind), !is_top);
}

// How many, without those of built files, which are copies.
std::size_t drop_lower_ranks(std::vector<FoundSymbol>& rows) {
  if (rows.empty()) return 0;
  const auto best = rank_of(*std::ranges::min_element(rows, {}, rank_of));
  const auto is_lower = [&](const FoundSymbol& row) { return rank_of(row) != best; };
  const auto count = std::ranges::count_if(
      rows, [&](const FoundSymbol& row) { return is_lower(row) && row.role != FileRole::built; });
  std::erase_if(rows, is_lower);
  return static_cast<std::size_t>(count);
}

using Overloads = std::vector<FoundSymbol>;  // the one that stands for all first

std::vector<Overloads> grouped(std::vector<FoundSymbol> rows) {
  std::vector<Overloads> groups;
  const auto rank = [](const FoundSymbol& row) { return std::pair(row.form, -std::int64_t{row.lines}); };
  for (FoundSymbol& row : rows) {
    const auto group = std::ranges::find_if(groups, [&](const Overloads& others) {
      return are_one_thing(others.front(), row) && unit_of(others.front()) == unit_of(row);
    });
    if (group == groups.end()) {
      groups.push_back({std::move(row)});
    } else {
      if (rank(row) < rank(group->front())) std::swap(row, group->front());
      group->push_back(std::move(row));
    }
  }
  return groups;
}

// Only declared, in C++ or in an interface.
bool is_declared(const Overloads& group) {
  return group.front().form == RowForm::declaration ||
         group.front().container_kind == lsp::SymbolKind::interface;
}

// The line tells overloads and methods of one name apart.
std::string source_line(const std::string& file, std::uint32_t number) {
  const Result<files::SourceText> source = files::read_source_file(file, {}, files::Symlinks::refuse);
  const std::vector<std::string_view> lines = split(source ? std::string_view(source->text) : "", '\n');
  if (number >= lines.size()) return {};
  const std::string_view line = trim(lines[number]);
  return std::string(line.substr(0, lsp::bytes_of_units(line, max_line, lsp::PositionEncoding::utf16)));
}

}  // namespace

Result<NamedSymbols> find_named_symbols(const FoundIndex& index, const std::string& name,
                                        const std::string& in,
                                        const std::function<bool(const std::string& path)>& left_out) {
  Result<IndexStore> store = IndexStore::open(index.file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  const std::string scope = scope_of(fs::path(in).lexically_normal().string(), {});
  const std::size_t above = index.root.parent_path().string().size();
  Result<SymbolsFound> found = find_symbols(*store, index.root,
                                            {.name = name,
                                             .limit = max_rows,
                                             .worst = NameFit::exact_case,
                                             .left_out = [&](const std::string& path) {
                                               return (left_out && left_out(path)) ||
                                                      (!in.empty() && !has_parts(path.substr(above), scope));
                                             }});
  if (!found) return found.error();
  NamedSymbols named{.near_names = std::move(found->near_names)};
  if (found->changed_files > 0) named.notes.push_back(changed_files_note(found->changed_files));
  if (found->more)
    named.notes.push_back(
        fmt::format("note: only the first {} symbols of that name are considered", max_rows));
  std::vector<FoundSymbol> rows = std::move(found->rows);
  if (rows.empty()) add_errors_note(*store, named.notes);
  drop_declarations_of_defined(rows);
  named.passed_over = drop_lower_ranks(rows);
  named.are_imports = !rows.empty() && rows.front().form == RowForm::import;
  std::vector<Overloads> groups = grouped(std::move(rows));
  if (!std::ranges::all_of(groups, is_declared)) named.passed_over += std::erase_if(groups, is_declared);
  const terminal::NearPaths near(index.root);
  const auto file_of = [&](const FoundSymbol& row) { return near.of(index.root / row.path); };
  const auto place_of = [&](const FoundSymbol& row) {
    std::string text = fmt::format("{}:{}  {} ", file_of(row), row.line + 1, table::kind_name(row.kind));
    table::table_cell_escape.append(text, row.name);
    if (!row.container.empty()) table::table_cell_escape.append(text += " in ", row.container);
    table::table_cell_escape.append(text += "  ", source_line((index.root / row.path).string(), row.line));
    return text;
  };
  for (const Overloads& group : groups) {
    const FoundSymbol& meant = group.front();
    NamedSymbol& symbol = named.found.emplace_back(NamedSymbol{
        .file = file_of(meant), .position = {meant.line, meant.column}, .place = place_of(meant)});
    for (std::size_t i = 1; i < group.size(); ++i) symbol.overloads.push_back(place_of(group[i]));
  }
  return {boost::system::in_place_value, std::move(named)};
}

}  // namespace symbols::index
