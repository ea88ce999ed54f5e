#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "tests/growth.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace tree_format_test {

using namespace std::string_literals;

constexpr std::int32_t top = -1;

const View standard{fields_of(Verbosity::standard)};
const View full{fields_of(Verbosity::full)};
const View minimal{fields_of(Verbosity::minimal)};

// On line 2, as long as its name, which is all ASCII.
lsp::DocumentSymbol row(std::string name, std::int32_t parent = top) {
  const auto length = static_cast<std::uint32_t>(name.size());
  return symbol(std::move(name), 12, {{2, 0}, {2, 90}}, {{2, 0}, {2, length}}, parent);
}

// A property of one line, `  name: value`.
lsp::DocumentSymbol property(std::string name, std::uint32_t line, std::int32_t parent = top) {
  const auto end = static_cast<std::uint32_t>(2 + name.size());
  return symbol(std::move(name), 7, {{line, 2}, {line, end + 7}}, {{line, 2}, {line, end}}, parent);
}

SymbolRows rows_of(std::vector<lsp::DocumentSymbol> symbols) {
  return made_rows({std::move(symbols)});
}

// Methods of the lines that are given, each after `def `.
SymbolRows methods(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines) {
  SymbolRows rows;
  for (const auto& [first, last] : lines) {
    const std::string name(1, static_cast<char>('a' + rows.all.size()));
    rows.all.push_back({symbol(name, 6, {{first, 0}, {last, 1}}, {{first, 4}, {first, 5}})});
  }
  return rows;
}

TEST_CASE("tree: no symbols are the empty text") {
  CHECK(write_tree({}, full) == "");
  for (const char* const text : {"", "# truncated: 3500 -> 998 tokens; dropped: 12 rows"}) {
    const Result<SymbolRows> rows = read_tree(text);
    REQUIRE(error_of(rows) == "");
    CHECK(*rows == SymbolRows());
  }
}

TEST_CASE("tree: rows both ways") {
  const lsp::Range wide{{1, 4}, {9, 1}};
  lsp::DocumentSymbol flat = row("b");
  flat.container_name = "else where";
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    std::string text;
  };
  const std::vector<Case> cases{
      {"nesting, and back out of it",
       {row("a"), row("b", 0), row("c", 1), row("d", 0), row("e")},
       "f3 a:0-90@0\n f3 b:0-90\n  f3 c:0-90\n f3 d:0-\nf3 e:0-"},
      {"neighbours share a row, and what they have in common",
       {symbol("C", 5, {{0, 0}, {9, 1}}, {{0, 6}, {0, 7}}), property("a", 1, 0), property("b", 2, 0),
        property("c", 2, 0), property("d", 4, 0), property("v1", 5, 0),
        symbol("m", 6, {{6, 2}, {8, 3}}, {{6, 2}, {6, 3}}, 0)},
       "c1-10 C:0-1@6\n p2 a:2-10 b,c:2- p5 d `v1` m7-9 m:2-"},
      {"one line and several are foretold apart",
       tree_of(methods({{1, 3}, {5, 7}, {9, 30}, {31, 31}, {33, 31}})).symbols,
       "m2-4 a:0-1@4 m6-8 b m10-31 c m32 d:1@4 m34-32 e"},
      {"kinds that LSP does not know",
       {symbol("a", 255, wide, wide), symbol("a", 0, wide, wide), symbol("a", -3, wide, wide)},
       "<255>2-10 a:4-1@ <0>2-10 a:4-1@ <-3>2-10 a:4-1@"},
      {"a selection at a column", {symbol("ab", 12, wide, {{1, 6}, {1, 8}})}, "f2-10 ab:4-1@6"},
      {"a selection on another line", {symbol("ab", 12, wide, {{3, 4}, {3, 6}})}, "f2-10 ab:4-1@4:4"},
      {"a selection longer than the name", {symbol("ab", 12, wide, {{1, 4}, {1, 9}})}, "f2-10 ab:4-1@4-9"},
      {"an empty selection", {symbol("ab", 12, wide, {{1, 4}, {1, 4}})}, "f2-10 ab:4-1@!"},
      {"any other selection", {symbol("ab", 12, wide, {{1, 5}, {2, 0}})}, "f2-10 ab:4-1@2:5-3:0"},
      {"another one, on one other line", {symbol("ab", 12, wide, {{2, 5}, {2, 6}})}, "f2-10 ab:4-1@3:5-3:6"},
      {"the whole range selected", {symbol("ab", 12, wide, wide)}, "f2-10 ab:4-1@"},
      {"the whole range, which is the name",
       {symbol("ab", 12, {{1, 0}, {1, 2}}, {{1, 0}, {1, 2}})},
       "f2 ab:0-2@"},
      {"a length in UTF-16 units",
       {symbol("é😀", 12, wide, {{1, 6}, {1, 9}}), symbol("é😀", 12, wide, {{1, 6}, {1, 8}})},
       "f2-10 é😀:4-1@6 f2-10 é😀@6-8"},
      {"names that are shorter in the source",
       {symbol("N::f<T>", 12, wide, {{1, 8}, {1, 9}}),
        symbol("operator==", 12, {{11, 4}, {12, 1}}, {{11, 8}, {11, 16}})},
       "f2-10 N::f<T>:4-1@8 f12-13 operator=="},
      {"the greatest numbers",
       {symbol("ab", 12, {{4294967295, 4294967295}, {0, 4294967295}},
               {{4294967295, 4294967294}, {4294967295, 4294967295}})},
       "f4294967296-1 ab:4294967295-4294967295@4294967294-4294967295"},
      {"names that need quotes, and names that do not",
       {row(""),    row("?"),   row("??"),       row("operator bool"),
        row(" a"),  row("a,b"), row("a`b"),      row("::"),
        row("a:"),  row("a:1"), row("a:1-"),     row("a:-"),
        row("a@"),  row("a@!"), row("a@?"),      row("a@1:2-3:4"),
        row("c+2"), row("f3"),  row("c1-2"),     row("<1>2"),
        row("?3"),  row("x3"),  row("Function3")},
       "f3 ``:0-90@!,`?`:0-90@0,??:0-90,`operator bool`:0-90@0-13,` "
       "a`:0-90,`a,b`:0-90,`a\\`b`:0-,:::0-90@0-2\n"
       "f3 a::0-,`a:1`:0-90@0-3,`a:1-`:0-90@0-4,`a:-`:0-90@0-3,`a@`:0-90,`a@!`:0-90,`a@?`:0-\n"
       "f3 `a@1:2-3:4`:0-90@0-9,`c+2`:0-90,`f3`:0-90,`c1-2`:0-90,`<1>2`:0-,`?3`:0-90,x3:0-,`Function3`:0-90"},
      {"names like another line of an answer, or like a row; control and bidirectional characters",
       {row("# truncated: 9 -> 3 tokens"), row("==>"), row("a f1:0-5\nb"), row("\\a\t\x1b"),
        symbol("\u202e", 12, {{2, 0}, {2, 90}}, {{2, 0}, {2, 1}})},
       "f3 `# truncated: 9 -> 3 tokens`:0-90@0-26,==>:0-90,`a f1:0-5\\nb`:0-90@0-10,\\\\a\\t\\x1B:0-90\n"
       "f3 \\u{202E}:0-90"},
      {"a flat symbol whose container names no row",
       {row("a"), flat},
       "f3 a:0-90@0\nf3 b:0-\t\tin=else where"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const SymbolRows rows = rows_of(c.symbols);
    CHECK(write_tree(rows, standard) == c.text);
    const Result<SymbolRows> back = read_tree(c.text);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
}

TEST_CASE("tree: what was folded is shown, and names that end in its mark are in backticks") {
  SymbolRows rows = rows_of({row("a"), row("b"), row("c"), row("…"), row("d…")});
  rows.all[0].folded.inside = 3;
  rows.all[1].folded.after = 5;
  rows.all[3].folded.inside = 1;
  rows.all[4].folded.after = 2;
  CHECK(write_tree(rows, minimal) == "f3 a+3,b…+5,c,`…`+1,`d…`…+2");
}

TEST_CASE("tree: what a view shows, and what reads back of it") {
  lsp::DocumentSymbol given = symbol("ab", 12, {{24, 8}, {28, 3}}, {{25, 1}, {25, 3}});
  given.detail = "int (int)";
  given.tags = {1, -2};
  given.container_name = "C";
  SymbolRows rows = made_rows({{given, row("child", 0)}}, {"hover text", ""}, {{"sig", "One. Two."}, {}});
  rows.all[0].left_out = 3;

  const lsp::Range whole_range = given.range;
  const lsp::Range start{whole_range.start, whole_range.start};
  const lsp::Range whole_lines{{24, 0}, {28, 0}};
  const lsp::Range line_start{{24, 0}, {24, 0}};
  const lsp::DocumentSymbol whole = symbol("ab", 12, whole_range, given.selection_range);
  lsp::DocumentSymbol detailed = whole;
  detailed.detail = given.detail;
  detailed.tags = given.tags;
  lsp::DocumentSymbol flat = symbol("ab", 12, whole_range, start);
  flat.container_name = "C";

  using enum Field;
  const View words{{name, kind, range, selection}, true};
  View all_ends = minimal;
  all_ends.all_ends = true;
  struct Case {
    const char* what;
    View view;
    std::string line;  // the first one
    lsp::DocumentSymbol back;
  };
  const std::vector<Case> cases{
      {"minimal: first lines", minimal, "f25 ab", symbol("ab", 12, line_start, line_start)},
      {"minimal in another order", {{range, kind, name}}, "f25 ab", symbol("ab", 12, line_start, line_start)},
      {"minimal with words",
       {minimal.fields, true},
       "Function25 ab",
       symbol("ab", 12, line_start, line_start)},
      {"minimal with all ends", all_ends, "f25-29 ab:-", symbol("ab", 12, whole_lines, line_start)},
      {"words", words, "Function25-29 ab:8-3@26:1", whole},
      {"no selection", {{name, kind, range, parent}}, "f25-29 ab:8-3@?\t\tin=C", flat},
      {"no kind",
       {{name, range, selection}},
       "?25-29 ab:8-3@26:1",
       symbol("ab", 0, whole_range, given.selection_range)},
      {"no name: no length either",
       {{kind, range, selection}},
       "f25-29 ?:8-3@26:1-26:3",
       symbol("", 12, whole_range, given.selection_range)},
      {"name alone", {{name}}, "? ab", symbol("ab", 0, {}, {})},
      {"nothing", {{}}, "? ?", symbol("", 0, {}, {})},
      {"name and kind", {{name, kind}}, "f ab", symbol("ab", 12, {}, {})},
      {"selection alone",
       {{name, selection}},
       "? ab\t\tselection=25:1-3",
       symbol("ab", 0, given.selection_range, given.selection_range)},
      {"lines in place of a range",
       {{name, kind, lines}},
       "f25-29 ab:-",
       symbol("ab", 12, whole_lines, line_start)},
      {"lines and selection",
       {{name, kind, lines, selection}},
       "f25-29 ab:-\t\tselection=25:1-3",
       symbol("ab", 12, whole_lines, given.selection_range)},
      {"lines beside a range",
       {{name, kind, range, selection, lines}},
       "f25-29 ab:8-3@26:1\t\tlines=25-29",
       whole},
      {"detail and tags",
       {{tags, detail, name, kind, range, selection}},
       "f25-29 ab:8-3@26:1\t\tdetail=int (int)\ttags=1 -2",
       detailed},
      {"what follows from the rest is skipped, the hover's parts are not",
       {{name, kind, range, selection, children, depth, doc, signature}},
       "f25-29 ab:8-3@26:1\t\tsignature=sig\tdoc=One.\tdepth=0\tchildren=4",
       whole},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const std::string text = write_tree(rows, c.view);
    CHECK(text.substr(0, text.find('\n')) == c.line);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    REQUIRE(back->all.size() == 2);
    CHECK(tree_of(*back).symbols[0] == c.back);
    CHECK(back->all[1].parent == 0);
    CHECK_FALSE(back->with_hover);
    CHECK(back->all[0].hover_parts == (c.view.needs_hovers() ? HoverText{"sig", "One."} : HoverText{}));
  }

  View everything{{all_fields.begin(), all_fields.end()}};
  CHECK(
      write_tree(rows, everything) ==
      "f25-29 ab:8-3@26:1\thover text\tin=C\tdetail=int (int)\tlines=25-29\tsignature=sig\tdoc=One.\tdepth=0"
      "\tchildren=4\ttags=1 -2\n f3 child:90\t\tlines=3\tdepth=1");
}

TEST_CASE("tree: minimal shows the last line of symbols of 20 lines or more, with all_ends of all") {
  const SymbolRows rows = methods({{0, 0}, {1, 19}, {20, 39}, {40, 4294967295}, {9, 3}});
  CHECK(write_tree(rows, minimal) == "m1 a b m21-40 c m41-4294967296 d m10-4 e");
  View all_ends = minimal;
  all_ends.all_ends = true;
  const std::string text = "m1 a:- m2-20 b m21-40 c m41-4294967296 d m10-4 e";
  CHECK(write_tree(rows, all_ends) == text);
  for (const View& view : {minimal, all_ends}) {
    const std::string written = write_tree(rows, view);
    const Result<SymbolRows> back = read_tree(written);
    REQUIRE(error_of(back) == "");
    CHECK(write_tree(*back, view) == written);
  }
}

TEST_CASE("tree: a row is full at 100 bytes") {
  std::vector<lsp::DocumentSymbol> symbols;
  for (std::uint32_t line = 0; line < 12; ++line) symbols.push_back(property("a-name-of-20-letters", line));
  CHECK(write_tree(rows_of(std::move(symbols)), minimal) ==
        "p1 a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters\n"
        "p5 a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters\n"
        "p9 a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters a-name-of-20-letters");
}

TEST_CASE("tree: beyond 100 levels the level is a number") {
  std::vector<lsp::DocumentSymbol> chain;
  for (std::int32_t level = 0; level <= 103; ++level) chain.push_back(row("a", level - 1));
  chain.push_back(row("b", 100));
  const SymbolRows rows = rows_of(std::move(chain));
  const std::string text = write_tree(rows, standard);
  CHECK(text.ends_with("\n" + std::string(100, ' ') +
                       "f3 a:0-\n\\^101 f3 a:0-\n\\^102 f3 a:0-\n\\^103 f3 a:0-\n\\^101 f3 b:0-"));
  const Result<SymbolRows> back = read_tree(text);
  REQUIRE(error_of(back) == "");
  const bool same = *back == rows;
  CHECK(same);
}

TEST_CASE("tree: what is read besides") {
  const SymbolRows rows = rows_of({row("a"), row("b", 0)});
  const std::vector<std::pair<const char*, std::string>> cases{
      {"a newline at the end", "f3 a:0-90@0\n f3 b:0-90\n"},
      {"CR LF", "f3 a:0-90@0\r\n f3 b:0-90\r\n"},
      {"the notice of a budget", "f3 a:0-90@0\n f3 b:0-90\n# truncated: 9 -> 3 tokens; dropped: hover\n"},
      {"an empty hover", "f3 a:0-90@0\t\n f3 b:0-90\t"},
      {"more escapes than needed", "f3 a:0-90@0\n f3 \\x62:0-90"},
      {"quotes that are not needed", "f3 `a`:0-90@0\n f3 `\\x62`:0-90"},
      {"a level as a number", "f3 a:0-90@0\n\\^1 f3 b:0-90"},
      {"columns that are predicted", "f3-3 a:0-90@3:0-3:1\n f3-3 b:0-90@0-1"},
      {"numbers of kinds that have a letter", "<12>3 a:0-90@0\n <12>3 b:0-90"},
  };
  for (const auto& [what, text] : cases) {
    CAPTURE(what);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
}

TEST_CASE("tree: errors say line, column and what was expected") {
  const std::string no_place =
      "expected a place, a space and a name; a row looks like \"f25-29 countLines\": a letter for the kind, "
      "then the lines";
  const std::string escapes = "this is not an escape; the escapes are \\\\ \\n \\r \\t \\xHH \\u{HHHH}";
  const std::string good = "f1 é:0-9@0\n";
  const std::string line = "expected a line from 1 to 4294967296, as in 25 or 25-29, found ";
  const std::string number = "expected a number up to 4294967295, found ";
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the tree at "
  };
  const std::vector<Case> cases{
      {"\n", "line 1, column 1: expected a row, found an empty line"},
      {"é", "line 1, column 1: " + no_place},
      {"# truncated: 9 -> 3 tokens\n" + good, "line 1, column 1: " + no_place},
      {"# signatures\nf1 é(): void",
       "line 1, column 1: a tree of signatures cannot be read back; ask for another verbosity or format"},
      {" f1 a:0-5@0", "line 1, column 2: level 1, but at most level 0 can follow the row before"},
      {good + "   f1 b", "line 2, column 4: level 3, but at most level 1 can follow the row before"},
      {good + "\\^2 f1 b", "line 2, column 5: level 2, but at most level 1 can follow the row before"},
      {good + "\\^x f1 b", "line 2, column 1: " + no_place},
      {"f1  ", "line 1, column 4: expected a name; an empty name is written as ``"},
      {"f1 `é", "line 1, column 4: expected a ` at the end of the name"},
      {"f1 é`", "line 1, column 5: a name that contains a ` must be in backticks, with each ` in it as \\`"},
      {"f1 `é`x",
       "line 1, column 7: expected columns, a space, a comma or the end of the row after the name, found "
       "\"x\""},
      {"f1 é\\q", "line 1, column 5: the name: " + escapes},
      {"f0 é", "line 1, column 2: " + line + "\"0\""},
      {"f5- é", "line 1, column 1: " + no_place},
      {"f01 é", "line 1, column 2: " + line + "\"01\""},
      {"f4294967296 é b", "line 1, column 15: a line above 4294967296"},
      {"f1 é:0-5", "line 1, column 5: the first symbol must have all its columns, as in countLines:8-3@8"},
      {"f1 é:0-5@4294967296", "line 1, column 10: " + number + "\"4294967296\""},
      {"f1 é:0-5@4294967295",
       "line 1, column 5: a column that is left out would be 4294967296, which no position can be"},
      {good + "f1 b:-", "line 2, column 5: expected a column before or after the -"},
      {good + "f1 b@?", "line 2, column 6: the text has selections, as its first symbol says"},
      {"f1 é:0-9@?\nf2 b@3", "line 2, column 5: the text has no selections, as its first symbol says"},
      {"f1 é\nf2 b:5-", "line 2, column 5: columns, but the first symbol, or this symbol's place, has none"},
      {good + "f b@3", "line 2, column 4: columns, but the first symbol, or this symbol's place, has none"},
      {good + "f2 b+4294967296", "line 2, column 6: " + number + "\"4294967296\""},
      {"f1 é\thov\\er", "line 1, column 9: the hover: " + escapes},
      {"f1 é\t\thover", "line 1, column 7: expected a key and a value, as in detail=…, found \"hover\""},
      {"f1 é\t\tcolour=red",
       "line 1, column 7: expected one of the keys in, detail, tags, selection, lines, signature, doc, depth "
       "and children, found \"colour\""},
      {"f1 é\n m1 ü\t\tin=C", "line 2, column 8: a row within another has no container besides it"},
      {"f1 é\t\tdepth=1\tdepth=1", "line 1, column 15: the key \"depth\" appears twice"},
      {"f1 é\t\tdetail=a\\", "line 1, column 15: detail: " + escapes},
      {"f1 é\t\ttags=1 ", "line 1, column 12: tags: expected numbers separated by a space, found \"1 \""},
      {"f1 é:0-5@0\t\tselection=0:1-2", "line 1, column 23: the selection is already after the name"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<SymbolRows> rows = read_tree(c.text);
    REQUIRE_FALSE(rows.has_value());
    CHECK(rows.error().text() == "cannot read the tree at " + c.error);
  }
}

TEST_CASE("tree: long lines cost no quadratic time") {
  for (const std::string& piece :
       {" "s, " a"s, ",a"s, " `"s, "`"s, " <"s,  " <1"s, "\\\\"s,  "\t"s, "\tlines=1"s, "f"s,
        "9"s, ":"s,  ":1"s, "+1"s, "@"s, "@1:"s, "-"s,   " f1 x"s, "."s,  "<"s,         "operator"s}) {
    CAPTURE(piece);
    CHECK(grows_linearly(250000, [&](std::size_t size) {
      std::string text = "f1 a:0-5@0\nf2 a";
      while (text.size() < size) text += piece;
      const Result<SymbolRows> rows = read_tree(text);
      lsp::DocumentSymbol named;
      named.name = text;
      CHECK(read_tree(write_tree(made_rows({{named}}), full)).has_value());
    }));
  }
}

}  // namespace tree_format_test
}  // namespace symbols::table
