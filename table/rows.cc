#include "table/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::table {
namespace {

// The most rows for which `auto` keeps all levels (docs/spec.md, section 4).
constexpr std::size_t automatic_limit = 100;

constexpr std::uint32_t all_levels = std::numeric_limits<std::uint32_t>::max();

// How many levels from the top have only one row, a namespace, module or package, or the macro that opens it
// (clangd sends it as Null): such a row is useless by itself.
std::uint32_t lone_namespaces(const SymbolRows& rows, const std::vector<std::uint32_t>& depths) {
  using lsp::SymbolKind;
  constexpr std::array<std::int64_t, 4> kinds = {SymbolKind::module, SymbolKind::namespace_,
                                                 SymbolKind::package, SymbolKind::null};
  std::vector<std::uint32_t> rows_at(depths.size(), 0);
  for (const std::uint32_t depth : depths) ++rows_at[depth];
  std::uint32_t level = 0;
  // The only row of a level directly follows that of the level before.
  while (level + 1 < depths.size() && depths[level] == level && depths[level + 1] == level + 1 &&
         rows_at[level] == 1 && std::find(kinds.begin(), kinds.end(), rows.all[level].kind) != kinds.end()) {
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

std::uint32_t level_count(const SymbolRows& rows) {
  const std::vector<std::uint32_t> depths = row_depths(rows);
  return depths.empty() ? 0 : *std::ranges::max_element(depths) + 1;
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
