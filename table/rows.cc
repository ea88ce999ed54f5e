#include "table/rows.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::table {
namespace {

struct Words {
  std::string_view name;
  std::string_view title;
};

// The names of the fields, in the enumeration's order.
constexpr std::array<Words, all_fields.size()> words = {{{"name", "NAME"},
                                                         {"kind", "KIND"},
                                                         {"range", "RANGE"},
                                                         {"selection", "SELECTION"},
                                                         {"parent", "PARENT"},
                                                         {"hover", "HOVER_INFO"},
                                                         {"detail", "DETAIL"},
                                                         {"lines", "LINES"},
                                                         {"signature", "SIGNATURE"},
                                                         {"doc", "DOC"},
                                                         {"depth", "DEPTH"},
                                                         {"children", "CHILDREN"},
                                                         {"tags", "TAGS"}}};

// Of the kinds from 1 on.
constexpr std::array<std::string_view, 26> kind_words = {
    "File",       "Module",      "Namespace", "Package",   "Class",        "Method",   "Property",
    "Field",      "Constructor", "Enum",      "Interface", "Function",     "Variable", "Constant",
    "String",     "Number",      "Boolean",   "Array",     "Object",       "Key",      "Null",
    "EnumMember", "Struct",      "Event",     "Operator",  "TypeParameter"};
constexpr std::string_view letters = "LMnPcmpFCeifvkSNbaoKZEsVOT";
static_assert(letters.size() == kind_words.size());

std::optional<Field> find(std::string_view text, std::string_view Words::*word) {
  const auto* const found = std::ranges::find(words, text, word);
  if (found == words.end()) return {};
  return all_fields[static_cast<std::size_t>(found - words.begin())];
}

// The most rows for which `auto` keeps all levels (docs/spec.md, section 4).
constexpr std::size_t automatic_limit = 100;

constexpr std::uint32_t all_levels = std::numeric_limits<std::uint32_t>::max();

// How many levels from the top have only one row, a namespace, module or package, or the macro that opens it
// (clangd sends it as Null): such a row is useless by itself.
std::uint32_t lone_namespaces(const SymbolRows& rows, const std::vector<std::uint32_t>& depths) {
  using lsp::SymbolKind;
  std::vector<std::uint32_t> rows_at(depths.size(), 0);
  for (const std::uint32_t depth : depths) ++rows_at[depth];
  std::uint32_t level = 0;
  // The only row of a level directly follows that of the level before.
  while (level + 1 < depths.size() && depths[level] == level && depths[level + 1] == level + 1 &&
         rows_at[level] == 1 &&
         is_one_of(rows.all[level].kind,
                   {SymbolKind::module, SymbolKind::namespace_, SymbolKind::package, SymbolKind::null})) {
    ++level;
  }
  return level;
}

}  // namespace

std::string_view field_name(Field field) {
  return words[static_cast<std::size_t>(field)].name;
}

std::string_view column_title(Field field) {
  return words[static_cast<std::size_t>(field)].title;
}

std::optional<Field> find_field(std::string_view name) {
  return find(name, &Words::name);
}

std::optional<Field> find_column(std::string_view title) {
  return find(title, &Words::title);
}

std::vector<Field> fields_of(Verbosity verbosity) {
  if (verbosity == Verbosity::signatures) return {Field::name, Field::kind, Field::lines, Field::signature};
  std::vector<Field> fields = {Field::name, Field::kind, Field::range};
  if (verbosity == Verbosity::standard || verbosity == Verbosity::full)
    fields.insert(fields.end(), {Field::selection, Field::parent});
  if (verbosity == Verbosity::full) fields.push_back(Field::hover);
  return fields;
}

std::string kind_name(std::int64_t kind) {
  if (kind >= 1 && kind <= static_cast<std::int64_t>(kind_words.size()))
    return std::string(kind_words[static_cast<std::size_t>(kind - 1)]);
  return std::to_string(kind);
}

std::optional<std::int64_t> find_kind(std::string_view text) {
  for (std::size_t i = 0; i < kind_words.size(); ++i) {
    if (std::ranges::equal(kind_words[i], text, {}, lower_case, lower_case))
      return static_cast<std::int64_t>(i + 1);
  }
  return whole_number<std::int64_t>(text);
}

void append_kind(std::string& out, std::int64_t kind, bool names) {
  if (kind < 1 || kind > static_cast<std::int64_t>(letters.size())) {
    out += '<';
    append_number(out, kind);
    out += '>';
  } else if (names) {
    out += kind_name(kind);
  } else {
    out += letters[static_cast<std::size_t>(kind - 1)];
  }
}

std::optional<std::int64_t> read_kind(std::string_view text) {
  if (text.starts_with('<') && text.ends_with('>'))
    return whole_number<std::int64_t>(text.substr(1, text.size() - 2));
  if (text.size() == 1) {
    const std::size_t index = letters.find(text.front());
    return index < letters.size() ? std::optional(static_cast<std::int64_t>(index) + 1) : std::nullopt;
  }
  const std::optional<std::int64_t> kind = find_kind(text);
  return kind && !text.empty() && is_letter(text.front()) && kind_name(*kind) == text ? kind : std::nullopt;
}

void append_folded(std::string& out, Folded folded) {
  if (folded == Folded{}) return;
  if (folded.inside == 0) out += folded_after_mark;
  out += '+';
  append_number(out, folded.inside > 0 ? folded.inside : folded.after);
}

SymbolRows::SymbolRows(lsp::SymbolTree tree) {
  all.reserve(tree.symbols.size());
  for (lsp::DocumentSymbol& symbol : tree.symbols) all.push_back({std::move(symbol)});
}

lsp::SymbolTree tree_of(SymbolRows rows) {
  return {{std::move_iterator(rows.all.begin()), std::move_iterator(rows.all.end())}};
}

std::vector<std::uint32_t> row_depths(const SymbolRows& rows) {
  std::vector<std::uint32_t> depths(rows.size(), 0);
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (const auto parent = parent_row(rows, row)) depths[row] = depths[*parent] + 1;
  }
  return depths;
}

std::vector<std::uint32_t> child_counts(const SymbolRows& rows) {
  std::vector<std::uint32_t> counts(rows.size());
  for (std::size_t row = 0; row < counts.size(); ++row) {
    counts[row] += rows.all[row].left_out;
    if (const auto parent = parent_row(rows, row)) ++counts[*parent];
  }
  return counts;
}

std::uint32_t level_count(Levels levels, std::size_t rows) {
  if (levels.rule == Levels::Rule::count) return levels.count;
  const bool is_top = levels.rule == Levels::Rule::top_level ||
                      (levels.rule == Levels::Rule::automatic && rows > automatic_limit);
  return is_top ? 1 : all_levels;
}

Result<Levels> parse_levels(std::string_view option, std::string_view text) {
  if (text == "no") return Levels{Levels::Rule::top_level, 0};
  if (text == "yes") return Levels{Levels::Rule::all, 0};
  if (text == "auto") return Levels{Levels::Rule::automatic, 0};
  const std::optional<std::uint32_t> count = whole_number<std::uint32_t>(text);
  if (count > 0) return Levels{Levels::Rule::count, *count};
  return Error{fmt::format("{} cannot be {}", option, quoted(text)),
               "give no (top level only), yes (all), auto (all, or top level only where all would be over "
               "100 rows) or a number of levels from 1 to 4294967295"};
}

SymbolRows only_rows(SymbolRows rows, const std::vector<std::size_t>& kept) {
  std::vector<Row> some;
  some.reserve(kept.size());
  std::vector<std::int32_t> new_index(rows.size(), -1);
  for (const std::size_t row : kept) {
    new_index[row] = static_cast<std::int32_t>(some.size());
    const auto parent = parent_row(rows, row);
    some.push_back(std::move(rows.all[row]));
    some.back().parent = parent ? new_index[*parent] : -1;
  }
  rows.all = std::move(some);
  return rows;
}

SymbolRows limit_levels(SymbolRows rows, Levels levels) {
  std::uint32_t count = level_count(levels, rows.size());
  if (count == all_levels) return rows;
  const std::vector<std::uint32_t> depths = row_depths(rows);
  if (levels.rule != Levels::Rule::count) count += lone_namespaces(rows, depths);
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (depths[row] < count) {
      kept.push_back(row);
    } else if (depths[row] == count) {  // the parent is kept
      ++rows.all[*parent_row(rows, row)].left_out;
    }
  }
  return only_rows(std::move(rows), kept);
}

}  // namespace symbols::table
