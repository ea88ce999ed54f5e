#include "table/rows.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/growth.h"
#include "tests/table/error_of.h"

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
  const std::vector<Case> cases{
      {{Levels::Rule::top_level, 0}, {0, 5, 7}, {-1, -1, -1}, {2, 1, 0}},
      {{Levels::Rule::all, 0}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, {}},
      {{Levels::Rule::automatic, 0}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, {}},
      {{Levels::Rule::count, 1}, {0, 5, 7}, {-1, -1, -1}, {2, 1, 0}},
      {{Levels::Rule::count, 2}, {0, 1, 4, 5, 6, 7}, {-1, 0, 0, -1, 3, -1}, {0, 2, 0, 0, 0, 0}},
      {{Levels::Rule::count, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, {}},
      {{Levels::Rule::count, 4294967295}, {0, 1, 2, 3, 4, 5, 6, 7}, {-1, 0, 1, 1, 0, -1, 5, -1}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(static_cast<int>(c.levels.rule));
    CAPTURE(c.levels.count);
    const LimitedTree limited = limit_levels(tree, c.levels);
    CHECK(limited.kept == c.kept);
    CHECK(limited.left_out == c.left_out);
    REQUIRE(limited.tree.symbols.size() == c.parents.size());
    for (std::size_t row = 0; row < c.parents.size(); ++row) {
      CHECK(limited.tree.symbols[row].parent == c.parents[row]);
      CHECK(limited.tree.symbols[row].name == tree.symbols[c.kept[row]].name);
    }
  }
}

TEST_CASE("levels: 100,000 nested namespaces are gone through in one pass") {
  CHECK(grows_linearly(25'000, [&](std::size_t depth) {
    lsp::SymbolTree tree = tree_of({});
    for (std::size_t row = 0; row < depth; ++row) {
      tree.symbols.emplace_back();
      tree.symbols.back().kind = 3;
      tree.symbols.back().parent = static_cast<std::int32_t>(row) - 1;
    }
    CHECK(limit_levels(tree, {Levels::Rule::top_level, 0}).kept.size() == depth);
  }));
}

TEST_CASE("levels: auto gives all up to 100 rows, then the top level only") {
  for (const std::size_t rows : {0u, 1u, 99u, 100u, 101u, 1000u}) {
    CAPTURE(rows);
    std::vector<std::int32_t> parents(rows, 0);
    if (rows > 0) parents[0] = -1;
    const LimitedTree limited = limit_levels(tree_of(parents), {Levels::Rule::automatic, 0});
    CHECK(limited.kept.size() == (rows > 100 ? 1 : rows));
    CHECK(limited.tree.symbols.size() == limited.kept.size());
  }
}

TEST_CASE("child counts include the children that a limit left out") {
  const lsp::SymbolTree tree = tree_of({-1, 0, 1, 1, 0, -1, 5, -1});
  CHECK(child_counts(tree, {}) == std::vector<std::uint32_t>{2, 2, 0, 0, 0, 1, 0, 0});
  for (const std::uint32_t levels : {1u, 2u, 3u}) {
    CAPTURE(levels);
    LimitedTree limited = limit_levels(tree, {Levels::Rule::count, levels});
    SymbolRows rows;
    rows.tree = std::move(limited.tree);
    rows.left_out = std::move(limited.left_out);
    const std::vector<std::uint32_t> counts = child_counts(rows.tree, rows.left_out);
    REQUIRE(counts.size() == limited.kept.size());
    for (std::size_t row = 0; row < counts.size(); ++row) {
      CHECK(counts[row] == child_counts(tree, {})[limited.kept[row]]);
    }
  }
  CHECK(child_counts(tree_of({0, 7, -5, 2}), {}) == std::vector<std::uint32_t>{0, 0, 1, 0});
}

TEST_CASE("depths") {
  CHECK(symbol_depths({}).empty());
  CHECK(symbol_depths(tree_of({-1, 0, 1, 1, 0, -1, 5})) == std::vector<std::uint32_t>{0, 1, 2, 2, 1, 0, 1});
  // Parents that are no smaller index count as none.
  CHECK(symbol_depths(tree_of({0, 7, -5, 2})) == std::vector<std::uint32_t>{0, 0, 0, 1});
}

}  // namespace
}  // namespace symbols::table
