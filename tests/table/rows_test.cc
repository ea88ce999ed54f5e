#include "table/rows.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace rows_test {

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

std::string kind_text(std::int64_t kind, bool names) {
  std::string out;
  append_kind(out, kind, names);
  return out;
}

TEST_CASE("kind letters: written and read back") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  struct Case {
    std::int64_t kind;
    std::string letter;
    std::string word;
  };
  std::vector<Case> cases{{5, "c", "Class"},
                          {12, "f", "Function"},
                          {14, "k", "Constant"},
                          {255, "<255>", "<255>"},
                          {0, "<0>", "<0>"},
                          {-1, "<-1>", "<-1>"},
                          {least, "<-9223372036854775808>", "<-9223372036854775808>"},
                          {most, "<9223372036854775807>", "<9223372036854775807>"}};
  for (std::int64_t kind = 1; kind <= 26; ++kind) {
    cases.push_back({kind, kind_text(kind, false), kind_name(kind)});
  }
  std::set<std::string> letters;
  for (const Case& c : cases) letters.insert(c.letter);
  CHECK(letters.size() == 26 + 5);
  for (const Case& c : cases) {
    CAPTURE(c.kind);
    CHECK(kind_text(c.kind, false) == c.letter);
    CHECK(kind_text(c.kind, true) == c.word);
    CHECK(read_kind(c.letter) == c.kind);
    CHECK(read_kind(c.word) == c.kind);
  }
}

TEST_CASE("kind letters: invalid kinds are rejected") {
  for (const char* const text :
       {"", "x", "12", "function", "Functions", "ff", "f1", "<", "<>", "<a>", "<255", "<2 55>", "< 255>",
        "<+1>", "<9223372036854775808>", "?", " f", "é", "\xff"}) {
    CAPTURE(text);
    CHECK_FALSE(read_kind(text).has_value());
  }
}

}  // namespace rows_test
}  // namespace symbols::table
