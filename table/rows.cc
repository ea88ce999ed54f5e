#include "table/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

#include "table/escape.h"

namespace symbols::table {
namespace {

// The most rows for which `auto` keeps all levels (docs/spec.md, section 4).
constexpr std::size_t automatic_limit = 100;

constexpr std::uint32_t all_levels = std::numeric_limits<std::uint32_t>::max();

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

// One more child of the row `parent` of `limited` was left out.
void count_left_out(LimitedTree& limited, std::int32_t parent) {
  const auto row = static_cast<std::size_t>(parent);
  if (limited.left_out.size() <= row) limited.left_out.resize(row + 1, 0);
  ++limited.left_out[row];
}

}  // namespace

std::vector<std::uint32_t> symbol_depths(const lsp::SymbolTree& tree) {
  std::vector<std::uint32_t> depths(tree.symbols.size(), 0);
  for (std::size_t row = 0; row < depths.size(); ++row) {
    const auto parent = static_cast<std::size_t>(tree.symbols[row].parent);  // -1 becomes larger than any row
    if (parent < row) depths[row] = depths[parent] + 1;
  }
  return depths;
}

std::vector<std::uint32_t> child_counts(const lsp::SymbolTree& tree, std::vector<std::uint32_t> left_out) {
  const std::vector<lsp::DocumentSymbol>& symbols = tree.symbols;
  std::vector<std::uint32_t> counts = std::move(left_out);
  counts.resize(symbols.size(), 0);
  for (std::size_t row = 0; row < symbols.size(); ++row) {
    const auto parent = static_cast<std::size_t>(symbols[row].parent);  // -1 becomes larger than any row
    if (parent < row) ++counts[parent];
  }
  return counts;
}

Result<Levels> parse_levels(std::string_view option, std::string_view text) {
  if (text == "no") return Levels{Levels::Rule::top_level, 0};
  if (text == "yes") return Levels{Levels::Rule::all, 0};
  if (text == "auto") return Levels{Levels::Rule::automatic, 0};
  std::uint32_t count = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && after == text.data() + text.size() && count > 0) {
    return Levels{Levels::Rule::count, count};
  }
  return Error{fmt::format("{} cannot be {}", option, quoted(text)),
               "give no (top level only), yes (all), auto (all, or top level only where all would be over "
               "100 rows) or a number of levels from 1 to 4294967295"};
}

LimitedTree limit_levels(lsp::SymbolTree tree, Levels levels) {
  std::uint32_t count = level_count(levels, tree.symbols.size());
  if (count == all_levels) {
    LimitedTree whole{std::move(tree), {}, {}};
    whole.kept.resize(whole.tree.symbols.size());
    std::iota(whole.kept.begin(), whole.kept.end(), std::size_t{0});
    return whole;
  }
  const std::vector<std::uint32_t> depths = symbol_depths(tree);
  if (levels.rule != Levels::Rule::count) count += lone_namespaces(tree, depths);
  std::vector<std::int32_t> new_index(depths.size(), -1);
  LimitedTree limited;
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (depths[row] >= count) {
      const bool is_next = depths[row] == count;  // whose parent is kept
      if (is_next) count_left_out(limited, new_index[static_cast<std::size_t>(tree.symbols[row].parent)]);
      continue;
    }
    new_index[row] = static_cast<std::int32_t>(limited.kept.size());
    limited.kept.push_back(row);
    lsp::DocumentSymbol& symbol = limited.tree.symbols.emplace_back(std::move(tree.symbols[row]));
    // A kept row has a kept parent, which is one level higher.
    symbol.parent = depths[row] == 0 ? -1 : new_index[static_cast<std::size_t>(symbol.parent)];
  }
  if (!limited.left_out.empty()) limited.left_out.resize(limited.kept.size(), 0);
  return limited;
}

}  // namespace symbols::table
