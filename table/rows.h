// A document before rendering: its rows, whatever the format. Every format writes them and reads them back
// (docs/spec.md, section 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "table/field.h"
#include "table/hover/hover_text.h"

namespace symbols::table {

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
  // Direct children that a limit left out, for formats that count children. It is not written to any text by
  // itself.
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

// How many levels the rows have: 1 if all are at top level, 0 if there are none.
std::uint32_t level_count(const SymbolRows& rows);

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

// These rows in this order, in which a parent comes before its children. A row whose parent is not among them
// is at top level.
SymbolRows only_rows(SymbolRows rows, const std::vector<std::size_t>& kept);

// Without the levels that were not requested. Limiting comes before the hover requests: only the kept symbols
// need one.
SymbolRows limit_levels(SymbolRows rows, Levels levels);

}  // namespace symbols::table
