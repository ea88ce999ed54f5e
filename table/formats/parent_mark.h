// The mark `\^D` at the end of a PARENT cell, D the parent's depth, or `\^` for "no row" (docs/spec.md,
// section 2).
#pragma once

#include <optional>
#include <string_view>

namespace symbols::table {

// A PARENT cell without its mark: views of the cell.
struct MarkedParent {
  std::string_view name;
  std::optional<std::string_view> digits;  // after `\^`; none if there is no mark
};

// Of an unescaped cell (toon). A name that ends like a mark always has a mark after it.
inline MarkedParent split_parent_mark(std::string_view cell) {
  const std::size_t last = cell.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last == 0 || cell[last] != '^' || cell[last - 1] != '\\')
    return {cell, {}};
  return {cell.substr(0, last - 1), cell.substr(last + 1)};
}

// Of a cell that is still escaped (table, tsv). A name that ends like a mark has its backslash escaped.
inline MarkedParent split_escaped_parent_mark(std::string_view cell) {
  const MarkedParent marked = split_parent_mark(cell);
  if (!marked.digits) return marked;
  // With an even number of backslashes, they escape each other, and the `^` belongs to the name.
  const std::size_t before = marked.name.find_last_not_of('\\');
  const std::size_t backslashes =
      1 + marked.name.size() - (before == std::string_view::npos ? 0 : before + 1);
  return backslashes % 2 == 0 ? MarkedParent{cell, {}} : marked;
}

}  // namespace symbols::table
