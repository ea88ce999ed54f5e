// A document before rendering: its rows, whatever the format, which of their fields an answer shows, and the
// kinds of symbols (docs/spec.md, sections 1 and 4). To add a field: here with its names in rows.cc, then its
// text in text_of() or its cell in formats/row_cells.cc, and the formats with a layout of their own (tree,
// packed, ndjson).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "table/hover/hover_text.h"

namespace symbols::table {

// In the order of section 1, which is that of a table's columns.
enum class Field {
  name,
  kind,
  range,
  selection,
  parent,
  hover,
  detail,     // the server's own
  lines,      // of the range, one-based, both included: 53-59
  signature,  // the code part of the hover
  doc,        // the first sentence of its prose
  depth,      // 0 at top level
  children,   // how many, direct ones
  tags,       // LSP's SymbolTag numbers
};

inline constexpr std::array all_fields = {Field::name,      Field::kind,  Field::range,  Field::selection,
                                          Field::parent,    Field::hover, Field::detail, Field::lines,
                                          Field::signature, Field::doc,   Field::depth,  Field::children,
                                          Field::tags};

// "selection": its name in options, and as a column of tsv and toon.
std::string_view field_name(Field field);
// "SELECTION", "HOVER_INFO": its title in a table.
std::string_view column_title(Field field);
// The field of that name, in lower case; none if there is no such field.
std::optional<Field> find_field(std::string_view name);
// The field with that title in a table; none if there is no such field.
std::optional<Field> find_column(std::string_view title);

// Whether its text comes from the hover, so a hover is needed for it.
constexpr bool needs_hover(Field field) {
  return field == Field::hover || field == Field::signature || field == Field::doc;
}

inline bool holds(const std::vector<Field>& fields, Field field) {
  return std::ranges::find(fields, field) != fields.end();
}

// The option `verbosity`.
enum class Verbosity { counts, minimal, signatures, standard, full };

// The fields of the rows that an answer shows.
struct View {
  std::vector<Field> fields;  // each once, in the order in which they are shown
  bool kind_names = false;    // Class instead of 5
  bool positions = false;     // before each line of rows that of its first symbol's name, for editors
  // Only `tree` looks at these:
  bool signatures = false;  // instead of names: verbosity `signatures`
  bool all_ends = false;    // with verbosity `minimal` or `signatures`: last lines of short symbols too

  bool shows(Field field) const { return holds(fields, field); }
  bool needs_hovers() const { return std::ranges::any_of(fields, needs_hover); }
};

// minimal: name kind range; signatures: name kind lines signature; standard: minimal + selection parent;
// full: + hover. counts has no rows; its fields are those of minimal.
std::vector<Field> fields_of(Verbosity verbosity);

// The kinds of symbols: LSP's names (LSP 3.17, "SymbolKind") for the option `kind_names`, filters and counts;
// and one letter a kind, which `tree` and `outline` write in place of LSP's numbers. A letter between a blank
// and digits costs no token of its own, a number does; and `f` is read where `12` is looked up.
inline bool is_one_of(std::int64_t kind, std::initializer_list<std::int64_t> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// "Class" for 5; the number itself if LSP has no name for it.
std::string kind_name(std::int64_t kind);

// The kind with that name ("Class", in any case) or number ("5", "255", "-1"); none for anything else.
std::optional<std::int64_t> find_kind(std::string_view text);

// Appends the kind: its letter (docs/formats.md, "tree", lists them), with `names` its word, or `<255>` for a
// number that LSP has no name for.
void append_kind(std::string& out, std::int64_t kind, bool names);

// Reads what append_kind wrote; a word must be as LSP spells it. None for all else, and beyond 64 bits.
std::optional<std::int64_t> read_kind(std::string_view text);

// The symbols that folding left out beside one row: at most one of the two.
struct Folded {
  std::uint32_t inside = 0;  // rows inside it, at any depth
  std::uint32_t after = 0;   // the siblings that follow it, all of its kind

  bool operator==(const Folded&) const = default;
};

inline constexpr std::string_view folded_after_mark = "\u2026";  // an ellipsis

// Appends it as the formats for people and models show it beside a row: `+7` for 7 rows inside, `…+7` for 7
// siblings that follow, nothing for none.
void append_folded(std::string& out, Folded folded);

// One symbol, and what an answer shows of it besides. All texts are valid UTF-8.
struct Row : lsp::DocumentSymbol {
  std::string hover{};  // flattened; empty if it has none
  // The same hover in its two parts, each whole, for the fields `signature` and `doc` and for a budget, which
  // drops the prose first. Empty if the row was read from a text, or the parts are not needed.
  HoverText hover_parts{};
  // Direct children that a limit left out, for formats that count children. Not written to any text itself.
  std::uint32_t left_out = 0;
  Folded folded{};  // only `tree`, `outline` and `pretty` show it

  bool operator==(const Row&) const = default;
};

// The text of a row, which is a Row or const, for the fields that are one: name, hover, detail, signature and
// doc, of which its first sentence is shown. Null for other fields.
template <class AnyRow>
auto text_of(AnyRow& row, Field field) -> decltype(&row.name) {
  switch (field) {
    case Field::name:
      return &row.name;
    case Field::hover:
      return &row.hover;
    case Field::detail:
      return &row.detail;
    case Field::signature:
      return &row.hover_parts.signature;
    case Field::doc:
      return &row.hover_parts.prose;
    default:
      return nullptr;
  }
}

// The rows of a document in pre-order.
struct SymbolRows {
  SymbolRows() = default;
  // Rows without anything besides the symbols.
  SymbolRows(lsp::SymbolTree tree);

  std::vector<Row> all;     // Row::parent is an index in it
  bool with_hover = false;  // whether the rows have hovers at all; else each Row::hover is empty
  // For rows read from a text: which of kind, range, selection and lines it did not show, even if for one row
  // only, in this order. They have defaults. If the text has lines but no range, the range holds these lines.
  std::vector<Field> lacking;
  // For rows that lack lines: the first lines are known all the same, and the last lines that were shown.
  bool first_lines = false;

  std::size_t size() const { return all.size(); }

  bool operator==(const SymbolRows&) const = default;
};

// The symbols alone.
lsp::SymbolTree tree_of(SymbolRows rows);

// The row that `row` is directly inside; none at top level, and for a `parent` that breaks SymbolTree's
// promise (a smaller index).
inline std::optional<std::size_t> parent_row(const SymbolRows& rows, std::size_t row) {
  const auto parent = static_cast<std::size_t>(rows.all[row].parent);  // -1 becomes larger than any row
  return parent < row ? std::optional(parent) : std::nullopt;
}

// Whether anything is inside `row`.
inline bool has_children(const SymbolRows& rows, std::size_t row) {
  return row + 1 < rows.size() && rows.all[row + 1].parent == static_cast<std::int32_t>(row);
}

// The depth of each row, 0 at top level.
std::vector<std::uint32_t> row_depths(const SymbolRows& rows);

// The number of direct children of each row, including those that a limit left out.
std::vector<std::uint32_t> child_counts(const SymbolRows& rows);

// The option `return_children` (docs/spec.md, section 4).
struct Levels {
  enum class Rule {
    top_level,  // `no`
    all,        // `yes`
    automatic,  // `auto`: all, or only the top level if all would be over 100 rows
    count,      // a number: that many levels
  };
  Rule rule = Rule::all;
  std::uint32_t count = 0;  // at least 1, with Rule::count only

  bool operator==(const Levels&) const = default;
};

// Reads the option, which a user knows as `option`: no, yes, auto, or a number from 1 on. The error names it,
// the value and the allowed values.
Result<Levels> parse_levels(std::string_view option, std::string_view text);

// How many levels of `rows` rows are shown.
std::uint32_t level_count(Levels levels, std::size_t rows);

// These rows in this order, parents before children. A row whose parent is not among them is at top level.
SymbolRows only_rows(SymbolRows rows, const std::vector<std::size_t>& kept);

// Without the levels that were not requested. Comes before the hover requests: only kept symbols need one.
SymbolRows limit_levels(SymbolRows rows, Levels levels);

}  // namespace symbols::table
