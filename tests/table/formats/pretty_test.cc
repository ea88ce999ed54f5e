#include <doctest/doctest.h>
#include <wchar.h>

#include <algorithm>
#include <clocale>
#include <string>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "table/formats/pretty_format.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace pretty_test {

const View full{pretty_fields(fields_of(Verbosity::full))};
const View standard{pretty_fields(fields_of(Verbosity::standard))};

// Kinds: 5 Class, 6 Method, 9 Constructor, 12 Function, 22 EnumMember.
const SymbolRows shapes =
    made_rows({{row("area", 12, {{2, 0}, {8, 1}}, -1), row("Circle", 5, {{97, 0}, {120, 1}}, -1),
                row("constructor", 9, {{98, 2}, {98, 9}}, 1), row("radius", 6, {{110, 2}, {119, 3}}, 1),
                row("cache", 255, {{111, 2}, {111, 3}}, 3)}},
              {"function area(width: number, height: number): number - The area.", "class Circle - Round.",
               "constructor Circle(): Circle", "", "class Cache"});

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
  const BudgetedText rendered = render(shapes, rendering);
  CHECK(rendered.text.starts_with("  3-9 "));
  CHECK(rendered.text.ends_with("\n# truncated: " + rendered.notice));
  rendering.max_tokens->tokens = 1;
  CHECK(render(shapes, rendering).text.starts_with("# truncated: "));
  CHECK(!read_rows(Format::pretty, "x"));
  CHECK(!parse_format("--format", "pretty"));
}

lsp::Diagnostic diagnostic(lsp::Position start, std::int64_t severity, std::string message,
                           std::string source = {}, std::string code = {}) {
  return {.range = {start, start},
          .severity = severity,
          .code = std::move(code),
          .source = std::move(source),
          .message = std::move(message)};
}

TEST_CASE("pretty diagnostics: aligned, counted from 1, messages whole and in one line") {
  const Diagnostics part{lsp::DiagnosticList{
      {diagnostic({0, 13}, 1, "Use of undeclared\n  identifier 'x'", "clang", "undeclared_var_use"),
       diagnostic({99, 4}, 2, "unused\x1B[2J", "", "6133"), diagnostic({4, 0}, 4, "could be const")},
      7}};
  CHECK(write_pretty_diagnostics(part, {.width = 20}) ==
        "3 of 7 diagnostics:\n"
        " 1:14  error    Use of undeclared identifier 'x'  clang undeclared_var_use\n"
        "100:5  warning  unused\\x1B[2J  6133\n"
        "  5:1  hint     could be const");
  const Diagnostics one{lsp::DiagnosticList{{diagnostic({0, 0}, 1, "x")}, 1}};
  CHECK(write_pretty_diagnostics(one, {.colour = true}) ==
        "\x1B[2m1 diagnostic:\x1B[0m\n\x1B[32m1:1\x1B[0m  \x1B[31merror\x1B[0m  x");
}

TEST_CASE("pretty diagnostics: none, not answered, not requested") {
  Diagnostics part;
  CHECK(write_pretty_diagnostics(part, {}) == "");
  part.failure = "not offered by the server";
  CHECK(write_pretty_diagnostics(part, {}) == "no diagnostics: not offered by the server");
  part = {lsp::DiagnosticList{}};
  CHECK(write_pretty_diagnostics(part, {}) == "no diagnostics");
  part.value->total = 3;  // a budget left them out
  CHECK(write_pretty_diagnostics(part, {}) == "0 of 3 diagnostics");
}

TEST_CASE("lines are broken at spaces, words are not") {
  struct Case {
    std::string text;
    std::size_t width;
    std::string wrapped;
  };
  const Case cases[] = {
      {"one two three", 0, "one two three"},
      {"one two three", 13, "one two three"},
      {"one two three", 12, "one two\n  three"},
      {"one two three", 7, "one two\n  three"},
      {"one two three", 5, "one\n  two\n  three"},
      {"one\ntwo three\nfour", 7, "one\ntwo\n  three\nfour"},
      {"a/long/path.ts: 1 22 333", 10, "a/long/path.ts:\n  1 22 333"},
      {"面積 面積 x", 7, "面積\n  面積\n  x"},
      {"", 3, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(c.width);
    std::string out = "kept as it is: ";
    const std::size_t start = out.size();
    out += c.text;
    wrap_lines(out, start, c.width);
    CHECK(out.substr(start) == c.wrapped);
  }
}

TEST_CASE("lines are cut, and a tab is as wide as a terminal has it") {
  struct Case {
    std::string line;
    std::size_t width;
    std::string cut;
  };
  const Case cases[] = {
      {"return x;", 0, "return x;"}, {"return x;", 9, "return x;"},
      {"return x;", 8, "return …"},  {" \tx", 9, " \tx"},
      {" \txy", 9, " \t…"},          {" \txy", 8, " …"},
      {"a\tb\tc", 17, "a\tb\tc"},    {"面積面積", 7, "面積面…"},
      {"面積面積", 6, "面積…"},      {"", 1, ""},
  };
  for (const Case& c : cases) CHECK(cut_to_width(c.line, c.width) == c.cut);
}

TEST_CASE("display width: of texts, and of their prefixes, which are of whole characters") {
  const std::pair<std::string, std::size_t> widths[] = {
      {"", 0},
      {"area(x)", 7},
      {"面積カ한", 8},
      {"Ａｱ", 3},
      {"e\u0301x", 2},
      {"\u1112\u1161\u11AB", 2},  // a Hangul syllable in parts
      {"\u200D\uFE0F", 0},        // a joiner, a variation selector
      {"\u00AD\uFFFD", 2},
      {"a\xFF", 2},  // an invalid byte
  };
  for (const auto& [text, columns] : widths) CHECK(display_width(text) == columns);
  struct Prefix {
    std::string text;
    std::size_t columns;
    std::string prefix;
  };
  const Prefix prefixes[] = {
      {"area", 0, ""}, {"area", 3, "are"},       {"area", 4, "area"}, {"area", 9, "area"},
      {"面積", 1, ""}, {"面積", 3, "面"},        {"a面", 2, "a"},     {"e\u0301x", 1, "e\u0301"},
      {"é", 1, "é"},   {"\u0301a", 0, "\u0301"},
  };
  for (const Prefix& c : prefixes) CHECK(c.text.substr(0, prefix_of_width(c.text, c.columns)) == c.prefix);
}

// The system's tables are as old as the system, or newer than ours: a few characters may differ.
TEST_CASE("display width: as wcwidth has it") {
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) return;
  std::size_t different = 0;
  std::size_t compared = 0;
  for (char32_t c = 0xA0; c < 0x110000; ++c) {
    const int expected = ::wcwidth(static_cast<wchar_t>(c));
    if (expected < 0) continue;
    std::string text;
    lsp::append_utf8(text, c);
    ++compared;
    if (display_width(text) != static_cast<std::size_t>(expected)) ++different;
  }
  std::setlocale(LC_CTYPE, "C");
  CHECK(different * 5000 <= compared);
}

}  // namespace pretty_test
}  // namespace symbols::table
