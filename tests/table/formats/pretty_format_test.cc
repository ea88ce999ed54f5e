#include "table/formats/pretty_format.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/display_width.h"
#include "table/formats/format.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

const View full{pretty_fields(fields_of(Verbosity::full))};
const View standard{pretty_fields(fields_of(Verbosity::standard))};

// Kinds: 5 Class, 6 Method, 9 Constructor, 12 Function, 22 EnumMember.
const SymbolRows shapes =
    made_rows({{row("area", 12, {{2, 0}, {8, 1}}, -1), row("Circle", 5, {{97, 0}, {120, 1}}, -1),
                row("constructor", 9, {{98, 2}, {98, 9}}, 1), row("radius", 6, {{110, 2}, {119, 3}}, 1),
                row("cache", 255, {{111, 2}, {111, 3}}, 3)}},
              {"function area(width: number, height: number): number - The area.", "class Circle - Round.",
               "constructor Circle(): Circle", "", "class Cache"});

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

std::string without_colour(std::string text) {
  for (std::size_t start = 0; (start = text.find("\x1B[", start)) != std::string::npos;) {
    text.erase(start, text.find('m', start) - start + 1);
  }
  return text;
}

TEST_CASE("pretty: aligned columns, hierarchy by indentation, kinds as words") {
  CHECK(write_pretty(shapes, full, {}) ==
        "  3-9    Function     area           function area(width: number, height: number): number - The "
        "area.\n"
        " 98-121  Class        Circle         Round.\n"
        " 99      Constructor    constructor  constructor Circle(): Circle\n"
        "111-120  Method         radius\n"
        "112      255              cache      class Cache");
  CHECK(write_pretty(shapes, standard, {}) ==
        "  3-9    Function     area\n"
        " 98-121  Class        Circle\n"
        " 99      Constructor    constructor\n"
        "111-120  Method         radius\n"
        "112      255              cache");
}

TEST_CASE("pretty: lines are cut to the width, and say so") {
  CHECK(write_pretty(shapes, full, {.width = 60}) ==
        "  3-9    Function     area           function area(width: n…\n"
        " 98-121  Class        Circle         Round.\n"
        " 99      Constructor    constructor  constructor Circle(): …\n"
        "111-120  Method         radius\n"
        "112      255              cache      class Cache");
  // Where too little of a hover would be seen there is none.
  CHECK(write_pretty(shapes, full, {.width = 44}) ==
        "  3-9    Function     area\n"
        " 98-121  Class        Circle         Round.\n"
        " 99      Constructor    constructor\n"
        "111-120  Method         radius\n"
        "112      255              cache");
  CHECK(write_pretty(shapes, standard, {.width = 30}) ==
        "  3-9    Function     area\n"
        " 98-121  Class        Circle\n"
        " 99      Constructor    const…\n"
        "111-120  Method         radius\n"
        "112      255              cac…");
  CHECK(write_pretty(shapes, standard, {.width = 1}) == "…\n…\n…\n…\n…");
}

TEST_CASE("pretty: a long name pushes its own hover only") {
  const SymbolRows rows =
      made_rows({{row("a", 12, {}, -1), row("a_name_that_goes_on_and_on", 12, {}, -1), row("b", 12, {}, -1)}},
                {"a function's hover", "another one's hover", "the last one's hover"});
  CHECK(write_pretty(rows, full, {.width = 60}) ==
        "1  Function  a  a function's hover\n"
        "1  Function  a_name_that_goes_on_and_on  another one's hover\n"
        "1  Function  b  the last one's hover");
}

TEST_CASE("pretty: wide and combining characters") {
  const SymbolRows rows =
      made_rows({{row("面積", 12, {}, -1), row("e\u0301te\u0301", 12, {}, -1), row("ab", 12, {}, -1)}},
                {"四角形の面積を求める", "summer", "x"});
  CHECK(write_pretty(rows, full, {}) ==
        "1  Function  面積  四角形の面積を求める\n"
        "1  Function  e\u0301te\u0301   summer\n"
        "1  Function  ab    x");
  // 19 columns are before the hover, and an odd number is left for characters of two.
  CHECK(lines_of(write_pretty(rows, full, {.width = 31}))[0] == "1  Function  面積  四角形の面…");
  CHECK(lines_of(write_pretty(rows, full, {.width = 32}))[0] == "1  Function  面積  四角形の面積…");
  CHECK(lines_of(write_pretty(rows, full, {.width = 33}))[0] == "1  Function  面積  四角形の面積…");
}

TEST_CASE("pretty: colours, and none where none are wanted") {
  const std::string coloured = write_pretty(shapes, full, {.width = 60, .colour = true});
  CHECK(lines_of(coloured)[0] ==
        "  \x1B[32m3-9\x1B[0m    \x1B[35mFunction\x1B[0m     area           "
        "\x1B[2mfunction area(width: n…\x1B[0m");
  CHECK(without_colour(coloured) == write_pretty(shapes, full, {.width = 60}));
  CHECK(write_pretty(shapes, full, {.width = 60}).find('\x1B') == std::string::npos);
}

TEST_CASE("pretty: no symbols") {
  CHECK(write_pretty({}, full, {}) == "no symbols");
  CHECK(write_pretty({}, full, {.width = 80, .colour = true}) == "\x1B[2mno symbols\x1B[0m");
}

TEST_CASE("pretty: children that were left out are counted") {
  SymbolRows rows = made_rows({{row("Circle", 5, {}, -1), row("Square", 5, {}, -1)}}, {"x", "y"});
  rows.all[0].left_out = 12;
  CHECK(write_pretty(rows, full, {}) == "1  Class  Circle +12  x\n1  Class  Square      y");
  rows.all[1].folded.inside = 3;
  CHECK(write_pretty(rows, full, {}) == "1  Class  Circle +12  x\n1  Class  Square +3   y");
}

TEST_CASE("pretty: a hover without what the row says already") {
  struct Case {
    lsp::DocumentSymbol symbol;
    std::string hover;
    std::string shown;
  };
  const lsp::DocumentSymbol circle = row("Circle", 5, {}, -1);
  const lsp::DocumentSymbol area = row("area", 6, {}, 0);
  const lsp::DocumentSymbol red = row("red", 22, {}, 0);
  const std::vector<Case> cases{
      {circle, "class Circle", ""},
      {circle, "class Circle - A circle.", "A circle."},
      {circle, "class Circle extends Shape", "class Circle extends Shape"},
      {circle, "class Circles", "class Circles"},
      {circle, "interface Circle", "interface Circle"},
      {circle, "class", "class"},
      {area, "(method) Circle.area(): number", "area(): number"},
      {area, "(method) Shape.area(): number", "Shape.area(): number"},
      {area, "(accessor) Circle.area: number", "(accessor) Circle.area: number"},
      {area, "(method)", "(method)"},
      {red, "(enum member) Circle.red = 0", "red = 0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.hover);
    SymbolRows rows = made_rows({{circle}}, {"x"});
    if (c.symbol.parent == 0) rows.all.push_back({c.symbol});
    rows.all.back().hover = c.hover;
    const std::string line = lines_of(write_pretty(rows, full, {})).back();
    const std::string after = line.substr(line.find(c.symbol.name) + c.symbol.name.size());
    CHECK(after.substr(std::min(after.find_first_not_of(' '), after.size())) == c.shown);
  }
  const SymbolRows rows = made_rows({{circle}}, {"class Circle"});
  CHECK(write_pretty(rows, {{Field::name, Field::hover}}, {}) == "Circle  class Circle");
}

TEST_CASE("pretty: fields that were asked for are its columns, in their order") {
  const View asked{{Field::name, Field::children, Field::selection, Field::depth, Field::parent}};
  CHECK(write_pretty(shapes, asked, {}) ==
        "area           0  2:0-0    0\n"
        "Circle         2  97:0-0   0\n"
        "  constructor  0  98:2-2   1  Circle\n"
        "  radius       1  110:2-2  1  Circle\n"
        "    cache      0  111:2-2  2  radius");
  CHECK(pretty_fields(fields_of(Verbosity::minimal)) == std::vector{Field::lines, Field::kind, Field::name});
  CHECK(pretty_fields({Field::signature, Field::name, Field::detail, Field::tags}) ==
        std::vector{Field::name, Field::signature, Field::detail});
}

TEST_CASE("pretty: names and hovers control nothing") {
  const std::string hostile = "a\x1B[2J\r\n==> b <==\t\x7F\u009B\u202E\xFF\\x";
  const SymbolRows rows =
      made_rows({{row(hostile, 12, {}, -1), row("==> b <==", 12, {}, -1), row("# truncated: 1", 12, {}, -1)}},
                {hostile, "", ""});
  CHECK(write_pretty(rows, full, {}) ==
        "1  Function  a\\x1B[2J\\r\\n==> b <==\\t\\x7F\\x9B\\u{202E}\uFFFD\\x  "
        "a\\x1B[2J\\r\\n==> b <==\\t\\x7F\\x9B\\u{202E}\uFFFD\\x\n"
        "1  Function  ==> b <==\n"
        "1  Function  # truncated: 1");
  CHECK(lines_of(write_pretty(rows, {{Field::name}}, {})) ==
        std::vector<std::string>{"a\\x1B[2J\\r\\n==> b <==\\t\\x7F\\x9B\\u{202E}\uFFFD\\x",
                                 "\\x3D=> b <==", "\\x23 truncated: 1"});
  const SymbolRows masked = made_rows({{row("==> b <==", 12, {}, -1), row("another", 12, {}, -1)}});
  CHECK(lines_of(write_pretty(masked, {{Field::name, Field::kind}}, {})) ==
        std::vector<std::string>{"\\x3D=> b <==  Function", "another       Function"});
}

TEST_CASE("pretty: 100,000 levels stay in sight") {
  SymbolRows rows;
  for (std::int32_t i = 0; i < 100'000; ++i) rows.all.push_back({row("x", 12, {}, i - 1)});
  const std::string text = write_pretty(rows, standard, {.width = 60});
  CHECK(text.ends_with("1  Function" + std::string(22, ' ') + "x"));
  CHECK(text.size() < 4'000'000);
}

TEST_CASE("pretty: hostile rows give one line each, of the width at most, without control characters") {
  Dice dice(20261123);
  for (int i = 0; i < 2000; ++i) {
    const SymbolRows rows = hostile_rows(dice);
    if (rows.all.empty()) continue;
    const std::size_t width = 1 + dice.below(100);
    const std::string text = write_pretty(rows, full, {.width = width, .colour = dice.below(2) == 0});
    const std::vector<std::string> lines = lines_of(without_colour(text));
    REQUIRE(lines.size() == rows.all.size());
    for (const std::string& line : lines) {
      CAPTURE(line);
      REQUIRE(display_width(line) <= width);
      REQUIRE(lsp::find_invalid_utf8(line) == std::string::npos);
      REQUIRE(
          std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && (c < ' ' || c == 0x7F); }));
    }
  }
}

TEST_CASE("pretty: with a budget and diagnostics, as other texts") {
  Rendering rendering{.format = Format::pretty, .view = full, .max_tokens = 60};
  const Rendered rendered = render(shapes, rendering);
  CHECK(rendered.text.starts_with("  3-9 "));
  CHECK(rendered.text.ends_with("\n# truncated: " + rendered.notice));
  rendering.max_tokens->tokens = 1;
  CHECK(render(shapes, rendering).text.starts_with("# truncated: "));
  CHECK(!read_rows(Format::pretty, "x"));
  CHECK(!parse_format("--format", "pretty"));
}

}  // namespace
}  // namespace symbols::table
