// A document before rendering: its rows, whatever the format. Every format writes them and reads them back
// (docs/spec.md, section 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "table/field.h"
#include "table/hover/hover_text.h"

namespace symbols::table {

// What folding left out beside one row: at most one of the two.
struct Folded {
  std::uint32_t inside = 0;  // rows inside it, at any depth
  std::uint32_t after = 0;   // the siblings that follow it, all of its kind

  bool operator==(const Folded&) const = default;
};

inline constexpr std::string_view folded_after_mark = "\u2026";  // an ellipsis

// Appends it as the formats for people and models tell it beside a row: `+7` for 7 rows inside, `…+7` for 7
// siblings that follow, nothing for none.
void append_folded(std::string& out, Folded folded);

// One row per symbol of `tree`, in its order (pre-order).
struct SymbolRows {
  lsp::SymbolTree tree;
  std::vector<std::string> hovers;  // [i] is the flattened hover of symbol i, empty if it has none
  bool with_hover = false;          // whether the rows have hovers at all; else `hovers` is empty
  // [i] is the same hover in its two parts, each whole, for the fields `signature` and `doc` and for a
  // budget, which drops the prose first. Empty if the rows were read from a text, or the parts are not
  // needed.
  std::vector<HoverText> hover_parts{};
  // For rows read from a text: which of kind, range, selection and lines it did not show, even if for one row
  // only, in this order. They have defaults. If the text has lines but no range, the range holds these lines.
  std::vector<Field> lacking{};
  // For rows that lack lines: the first lines are known all the same, and the last lines that were shown.
  bool first_lines = false;
  // [i] is the number of direct children of row i that a limit left out, so a reader can be told about them.
  // Empty if nothing was left out. It is not written to any text.
  std::vector<std::uint32_t> left_out{};
  // [i] is what was folded at row i. Empty if nothing was. Only `tree`, `outline` and `pretty` show it.
  std::vector<Folded> folded{};

  Folded folded_at(std::size_t row) const { return row < folded.size() ? folded[row] : Folded{}; }

  // The hover of row `row`; rows beyond the end of `hovers` have none.
  std::string_view hover(std::size_t row) const {
    return row < hovers.size() ? std::string_view(hovers[row]) : std::string_view{};
  }

  bool operator==(const SymbolRows&) const = default;
};

// The row that `row` is directly inside; none at top level, and for a `parent` that breaks SymbolTree's
// promise (a smaller index).
inline std::optional<std::size_t> parent_row(const lsp::SymbolTree& tree, std::size_t row) {
  const auto parent = static_cast<std::size_t>(tree.symbols[row].parent);  // -1 becomes larger than any row
  return parent < row ? std::optional(parent) : std::nullopt;
}

// Whether anything is inside `row`.
inline bool has_children(const lsp::SymbolTree& tree, std::size_t row) {
  return row + 1 < tree.symbols.size() && tree.symbols[row + 1].parent == static_cast<std::int32_t>(row);
}

// The depth of each symbol, 0 at top level.
std::vector<std::uint32_t> symbol_depths(const lsp::SymbolTree& tree);

// How many levels the tree has: 1 if all are at top level, 0 if it is empty.
std::uint32_t level_count(const lsp::SymbolTree& tree);

// The number of direct children of each row, including those that a limit left out (SymbolRows::left_out).
std::vector<std::uint32_t> child_counts(const lsp::SymbolTree& tree, std::vector<std::uint32_t> left_out);

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

// Some rows of a tree, or, to begin with, all.
struct LimitedTree {
  LimitedTree() = default;
  LimitedTree(lsp::SymbolTree all, std::vector<Folded> folded_before = {});

  lsp::SymbolTree tree;
  std::vector<std::size_t> kept;        // [i] is the index of tree.symbols[i] in the tree of all
  std::vector<std::uint32_t> left_out;  // as SymbolRows::left_out
  std::vector<Folded> folded;           // as SymbolRows::folded
};

// Of `values`, one for each row, those of `rows`. Missing ones at the end are empty; none at all stay none.
template <class T>
std::vector<T> values_of(std::vector<T> values, const std::vector<std::size_t>& rows) {
  std::vector<T> some;
  if (values.empty()) return some;
  some.reserve(rows.size());
  for (const std::size_t row : rows) some.push_back(row < values.size() ? std::move(values[row]) : T());
  return some;
}

// These rows of `tree` in this order, in which a parent comes before its children. A row whose parent is not
// among them is at top level.
LimitedTree only_rows(LimitedTree tree, const std::vector<std::size_t>& rows);

// Without the levels that were not requested. Limiting comes before the hover requests: only the kept symbols
// need one.
LimitedTree limit_levels(LimitedTree tree, Levels levels);

}  // namespace symbols::table
