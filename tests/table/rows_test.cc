#include "table/rows.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

// A tree of the given parents, whose names are their indices.
lsp::SymbolTree tree_of(const std::vector<std::int32_t>& parents) {
  lsp::SymbolTree tree;
  for (const std::int32_t parent : parents) {
    lsp::DocumentSymbol& symbol = tree.symbols.emplace_back();
    symbol.name = std::to_string(tree.symbols.size() - 1);
    symbol.parent = parent;
  }
  return tree;
}

TEST_CASE("return_children: what is allowed") {
  struct Case {
    std::string text;
    Levels levels;
  };
  const std::vector<Case> cases{
      {"no", {Levels::Rule::top_level, 0}},   {"yes", {Levels::Rule::all, 0}},
      {"auto", {Levels::Rule::automatic, 0}}, {"1", {Levels::Rule::count, 1}},
      {"3", {Levels::Rule::count, 3}},        {"4294967295", {Levels::Rule::count, 4294967295}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<Levels> levels = parse_levels("return_children", c.text);
    REQUIRE(error_of(levels) == "");
    CHECK(*levels == c.levels);
  }
}

TEST_CASE("return_children: an error names the option, the value and what is allowed") {
  for (const std::string text :
       {"", "0", "-1", "+1", "1.5", "2 ", " 2", "No", "true", "all", "4294967296", "auto\n"}) {
    CAPTURE(text);
    const Result<Levels> levels = parse_levels("return_children", text);
    REQUIRE_FALSE(levels.has_value());
    const std::string shown = text == "auto\n" ? "auto\\n" : text;
    CHECK(levels.error().text() == "return_children cannot be \"" + shown +
                                       "\"; give no (top level only), yes (all), auto (all, or top "
                                       "level only where all would be over "
                                       "100 rows) or a number of levels from 1 to 4294967295");
  }
}

TEST_CASE("levels: which rows are kept, under which parents") {
  const lsp::SymbolTree tree = tree_of({-1, 0, 1, 1, 0, -1, 5, -1});
  struct Case {
    Levels levels;
    std::vector<std::size_t> kept;
    std::vector<std::int32_t> parents;
    std::vector<std::uint32_t> left_out;
  };
  const std::vector<std::uint32_t> none(8);
  const std::vector<Case> cases{
      {{Levels::Rule::top_level, 0}, {0, 5, 7}, {-1, -1, -1}, {2, 1, 0}},
      {{Levels::Rule::all, 0}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, none},
      {{Levels::Rule::automatic, 0}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, none},
      {{Levels::Rule::count, 1}, {0, 5, 7}, {-1, -1, -1}, {2, 1, 0}},
      {{Levels::Rule::count, 2}, {0, 1, 4, 5, 6, 7}, {-1, 0, 0, -1, 3, -1}, {0, 2, 0, 0, 0, 0}},
      {{Levels::Rule::count, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, none},
      {{Levels::Rule::count, 4294967295}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, none},
  };
  for (const Case& c : cases) {
    CAPTURE(static_cast<int>(c.levels.rule));
    CAPTURE(c.levels.count);
    const SymbolRows limited = limit_levels(numbered(tree), c.levels);
    CHECK(numbers_of(limited) == c.kept);
    for (std::size_t row = 0; row < c.parents.size(); ++row) {
      CHECK(limited.all[row].parent == c.parents[row]);
      CHECK(limited.all[row].left_out == c.left_out[row]);
      CHECK(limited.all[row].name == tree.symbols[c.kept[row]].name);
    }
  }
}

TEST_CASE("levels: auto gives all up to 100 rows, then the top level only") {
  for (const std::size_t rows : {0u, 1u, 99u, 100u, 101u, 1000u}) {
    CAPTURE(rows);
    std::vector<std::int32_t> parents(rows, 0);
    if (rows > 0) parents[0] = -1;
    CHECK(limit_levels(tree_of(parents), {Levels::Rule::automatic, 0}).size() == (rows > 100 ? 1 : rows));
  }
}

TEST_CASE("child counts include the children that a limit left out") {
  const SymbolRows rows = numbered(tree_of({-1, 0, 1, 1, 0, -1, 5, -1}));
  const std::vector<std::uint32_t> all = child_counts(rows);
  CHECK(all == std::vector<std::uint32_t>{2, 2, 0, 0, 0, 1, 0, 0});
  for (const std::uint32_t levels : {1u, 2u, 3u}) {
    CAPTURE(levels);
    const SymbolRows limited = limit_levels(rows, {Levels::Rule::count, levels});
    const std::vector<std::uint32_t> counts = child_counts(limited);
    for (std::size_t row = 0; row < counts.size(); ++row) CHECK(counts[row] == all[numbers_of(limited)[row]]);
  }
  CHECK(child_counts(tree_of({0, 7, -5, 2})) == std::vector<std::uint32_t>{0, 0, 1, 0});
}

TEST_CASE("depths") {
  CHECK(row_depths({}).empty());
  CHECK(row_depths(tree_of({-1, 0, 1, 1, 0, -1, 5})) == std::vector<std::uint32_t>{0, 1, 2, 2, 1, 0, 1});
  // Parents that are no smaller index count as none.
  CHECK(row_depths(tree_of({0, 7, -5, 2})) == std::vector<std::uint32_t>{0, 0, 0, 1});
}

}  // namespace
}  // namespace symbols::table
