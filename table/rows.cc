#include "table/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "base/number.h"
#include "table/escape.h"

namespace symbols::table {
namespace {

// The most rows for which `auto` keeps all levels (docs/spec.md, section 4).
constexpr std::size_t automatic_limit = 100;

constexpr std::uint32_t all_levels = std::numeric_limits<std::uint32_t>::max();

// How many levels from the top have only one row, a namespace, module or package, or the macro that opens it
// (clangd sends it as Null): such a row says nothing by itself.
std::uint32_t lone_namespaces(const lsp::SymbolTree& tree, const std::vector<std::uint32_t>& depths) {
  constexpr std::array<std::int64_t, 4> kinds = {2, 3, 4, 21};
  std::vector<std::uint32_t> rows_at(depths.size(), 0);
  for (const std::uint32_t depth : depths) ++rows_at[depth];
  std::uint32_t level = 0;
  // The only row of a level directly follows that of the level before.
  while (level + 1 < depths.size() && depths[level] == level && depths[level + 1] == level + 1 &&
         rows_at[level] == 1 &&
         std::find(kinds.begin(), kinds.end(), tree.symbols[level].kind) != kinds.end()) {
    ++level;
  }
  return level;
}

}  // namespace

void append_folded(std::string& out, Folded folded) {
  if (folded == Folded{}) return;
  if (folded.inside == 0) out += folded_after_mark;
  out += '+';
  append_number(out, folded.inside > 0 ? folded.inside : folded.after);
}

std::vector<std::uint32_t> symbol_depths(const lsp::SymbolTree& tree) {
  std::vector<std::uint32_t> depths(tree.symbols.size(), 0);
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (const auto parent = parent_row(tree, row)) depths[row] = depths[*parent] + 1;
  }
  return depths;
}

std::uint32_t level_count(const lsp::SymbolTree& tree) {
  const std::vector<std::uint32_t> depths = symbol_depths(tree);
  return depths.empty() ? 0 : *std::ranges::max_element(depths) + 1;
}

std::vector<std::uint32_t> child_counts(const lsp::SymbolTree& tree, std::vector<std::uint32_t> left_out) {
  std::vector<std::uint32_t> counts = std::move(left_out);
  counts.resize(tree.symbols.size(), 0);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (const auto parent = parent_row(tree, row)) ++counts[*parent];
  }
  return counts;
}

std::uint32_t level_count(Levels levels, std::size_t rows) {
  switch (levels.rule) {
    case Levels::Rule::top_level:
      return 1;
    case Levels::Rule::all:
      return all_levels;
    case Levels::Rule::automatic:
      return rows > automatic_limit ? 1 : all_levels;
    case Levels::Rule::count:
      return levels.count;
  }
  return all_levels;
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

LimitedTree::LimitedTree(lsp::SymbolTree all, std::vector<Folded> folded_before)
    : tree(std::move(all)), kept(tree.symbols.size()), folded(std::move(folded_before)) {
  std::iota(kept.begin(), kept.end(), std::size_t{0});
}

LimitedTree only_rows(LimitedTree tree, const std::vector<std::size_t>& rows) {
  LimitedTree some;
  some.tree.symbols.reserve(rows.size());
  std::vector<std::int32_t> new_index(tree.kept.size(), -1);
  for (const std::size_t row : rows) {
    new_index[row] = static_cast<std::int32_t>(some.tree.symbols.size());
    const auto parent = parent_row(tree.tree, row);
    lsp::DocumentSymbol& symbol = some.tree.symbols.emplace_back(std::move(tree.tree.symbols[row]));
    symbol.parent = parent ? new_index[*parent] : -1;
  }
  some.kept = values_of(std::move(tree.kept), rows);
  some.left_out = values_of(std::move(tree.left_out), rows);
  some.folded = values_of(std::move(tree.folded), rows);
  return some;
}

LimitedTree limit_levels(LimitedTree tree, Levels levels) {
  std::uint32_t count = level_count(levels, tree.kept.size());
  if (count == all_levels) return tree;
  const std::vector<std::uint32_t> depths = symbol_depths(tree.tree);
  if (levels.rule != Levels::Rule::count) count += lone_namespaces(tree.tree, depths);
  std::vector<std::size_t> rows;
  std::vector<std::uint32_t> left_out(depths.size(), 0);
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (depths[row] < count) {
      rows.push_back(row);
    } else if (depths[row] == count) {  // the parent is kept
      ++left_out[*parent_row(tree.tree, row)];
    }
  }
  if (rows.size() < depths.size()) tree.left_out = std::move(left_out);
  return only_rows(std::move(tree), rows);
}

}  // namespace symbols::table
