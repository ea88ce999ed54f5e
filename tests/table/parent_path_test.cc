#include "table/parent_path.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace {

// The rule as the spec words it, row by row.
std::optional<std::size_t> rule(const std::vector<lsp::DocumentSymbol>& symbols,
                                const std::vector<std::size_t>& path, std::string_view name,
                                const lsp::Range& range) {
  std::optional<std::size_t> deepest;
  for (std::size_t depth = path.size(); depth-- > 0;) {
    const lsp::DocumentSymbol& symbol = symbols[path[depth]];
    if (symbol.name != name) continue;
    if (lsp::contains(symbol.range, range)) return depth;
    if (!deepest) deepest = depth;
  }
  return deepest;
}

lsp::Range small_range(Dice& dice) {
  const auto at = [&] { return static_cast<std::uint32_t>(dice.below(8)); };
  const std::uint32_t start = at();
  return {{0, start}, {0, start + at()}};
}

TEST_CASE("parent path: the rule of the spec, on paths of all shapes") {
  Dice dice(3);
  std::size_t contained = 0;
  std::size_t not_contained = 0;
  std::size_t unknown = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t names = 1 + dice.below(4);
    const auto name = [&](std::size_t n) { return std::string(1, static_cast<char>('a' + dice.below(n))); };
    const std::size_t steepness = 2 + dice.below(20);
    std::vector<lsp::DocumentSymbol> symbols;
    std::vector<std::size_t> path;
    ParentPath parent_path(symbols);
    for (std::size_t row = 0; row < 150; ++row) {
      const std::string wanted = name(names + 1);
      const lsp::Range range = small_range(dice);
      const std::optional<std::size_t> expected = rule(symbols, path, wanted, range);
      REQUIRE(parent_path.find(wanted, range) == expected);
      if (!expected) {
        ++unknown;
      } else if (lsp::contains(symbols[path[*expected]].range, range)) {
        ++contained;
      } else {
        ++not_contained;
      }

      const std::size_t depth = dice.one_in(steepness) ? dice.below(path.size() + 1) : path.size();
      symbols.emplace_back().name = name(names);
      symbols.back().range = small_range(dice);
      path.resize(depth);
      path.push_back(row);
      parent_path.enter(row, depth);
      REQUIRE(parent_path.size() == path.size());
      REQUIRE(parent_path.row_at(depth) == row);
    }
  }
  CHECK(contained > 1000);
  CHECK(not_contained > 1000);
  CHECK(unknown > 1000);
}

TEST_CASE("parent path: a depth beyond the end is the end") {
  const std::vector<lsp::DocumentSymbol> symbols(2);
  ParentPath path(symbols);
  path.enter(0, 7);
  path.enter(1, 7);
  CHECK(path.size() == 2);
  CHECK(path.row_at(1) == 1);
}

}  // namespace
}  // namespace symbols::table
