#include "table/formats/tree_format.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/table/error_of.h"

namespace symbols::table {
namespace {

constexpr std::int32_t top = -1;

const View standard{fields_of(Verbosity::standard)};
const View full{fields_of(Verbosity::full)};
const View minimal{fields_of(Verbosity::minimal)};

lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, lsp::Range range, lsp::Range selection,
                           std::int32_t parent = top) {
  lsp::DocumentSymbol made;
  made.name = std::move(name);
  made.kind = kind;
  made.range = range;
  made.selection_range = selection;
  made.parent = parent;
  return made;
}

// On line 2, as long as its name, which is all ASCII.
lsp::DocumentSymbol row(std::string name, std::int32_t parent = top) {
  const auto length = static_cast<std::uint32_t>(name.size());
  return symbol(std::move(name), 12, {{2, 0}, {2, 90}}, {{2, 0}, {2, length}}, parent);
}

SymbolRows rows_of(std::vector<lsp::DocumentSymbol> symbols) {
  return {{std::move(symbols)}, {}, false};
}

TEST_CASE("tree: the example of the spec") {
  const SymbolRows rows{{{symbol("presentAssistantMessage", 12, {{79, 0}, {742, 1}}, {{79, 22}, {79, 45}}),
                          symbol("countLines", 12, {{24, 8}, {28, 3}}, {{24, 8}, {24, 18}}, 0)}},
                        {"", "const countLines: (symbols: DocumentSymbol[]) => number"},
                        true};
  const std::string without_hover = "presentAssistantMessage f79:0-742:1@22\n countLines f24:8-28:3";
  const std::string with_hover = without_hover + " const countLines: (symbols: DocumentSymbol[]) => number";
  CHECK(write_tree(rows, standard) == without_hover);
  CHECK(write_tree(rows, full) == with_hover);
  CHECK(write_tree(rows, minimal) == "presentAssistantMessage f80-743\n countLines f25-29");

  const Result<SymbolRows> back = read_tree(with_hover);
  REQUIRE(error_of(back) == "");
  CHECK(*back == rows);
}

TEST_CASE("tree: no symbols are the empty text") {
  CHECK(write_tree({}, full) == "");
  for (const char* const text : {"", "# truncated: 3500 -> 998 tokens; dropped: 12 rows"}) {
    const Result<SymbolRows> rows = read_tree(text);
    REQUIRE(error_of(rows) == "");
    CHECK(*rows == SymbolRows{});
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
       "a f2:0-90\n b f2:0-90\n  c f2:0-90\n d f2:0-90\ne f2:0-90"},
      {"kinds that LSP does not know",
       {symbol("a", 255, wide, wide), symbol("a", 0, wide, wide), symbol("a", -3, wide, wide)},
       "a <255>1:4-9:1@\na <0>1:4-9:1@\na <-3>1:4-9:1@"},
      {"a selection at a column", {symbol("ab", 12, wide, {{1, 6}, {1, 8}})}, "ab f1:4-9:1@6"},
      {"a selection on another line", {symbol("ab", 12, wide, {{3, 4}, {3, 6}})}, "ab f1:4-9:1@3:4"},
      {"a selection longer than the name", {symbol("ab", 12, wide, {{1, 4}, {1, 9}})}, "ab f1:4-9:1@4-9"},
      {"an empty selection", {symbol("ab", 12, wide, {{1, 4}, {1, 4}})}, "ab f1:4-9:1@4-4"},
      {"any other selection", {symbol("ab", 12, wide, {{1, 5}, {2, 0}})}, "ab f1:4-9:1@1:5-2:0"},
      {"another one, on one other line", {symbol("ab", 12, wide, {{2, 5}, {2, 6}})}, "ab f1:4-9:1@2:5-6"},
      {"the whole range selected", {symbol("ab", 12, wide, wide)}, "ab f1:4-9:1@"},
      {"the whole range, which is the name",
       {symbol("ab", 12, {{1, 0}, {1, 2}}, {{1, 0}, {1, 2}})},
       "ab f1:0-2"},
      {"a length in UTF-16 units",
       {symbol("é😀", 12, wide, {{1, 6}, {1, 9}}), symbol("é😀", 12, wide, {{1, 6}, {1, 8}})},
       "é😀 f1:4-9:1@6\né😀 f1:4-9:1@6-8"},
      {"the greatest numbers",
       {symbol("ab", 12, {{4294967295, 4294967295}, {0, 4294967295}},
               {{4294967295, 4294967294}, {4294967295, 4294967295}})},
       "ab f4294967295:4294967295-0:4294967295@4294967294-4294967295"},
      {"an empty name, and one that is its mark",
       {row(""), row("?"), row("??")},
       "? f2:0-90\n\\? f2:0-90\n?? f2:0-90"},
      {"blanks in a name stand as they are",
       {row("operator bool"), row("a  bb ")},
       "operator bool f2:0-90\na  bb  f2:0-90"},
      {"a name that starts with a blank",
       {row(" a"), row("  bb", 0), row(" ")},
       "\\ a f2:0-90\n \\  bb f2:0-90\n\\  f2:0-90"},
      {"a blank before what looks like a place",
       {row("a f24:8-28:3"), row("Plan b"), row("Plan B 2"), row("My Class"), row("a <5>"), row("a ?")},
       "a\\ f24:8-28:3 f2:0-90\nPlan\\ b f2:0-90\nPlan B 2 f2:0-90\nMy\\ Class f2:0-90\na\\ <5> f2:0-90\n"
       "a\\ ? f2:0-90"},
      {"no blank is escaped where nothing looks like a place",
       {row("describe(\"a f\") callback"), row("a fn"), row("Chapter 2"), row("x <T>"), row("class Foo")},
       "describe(\"a f\") callback f2:0-90\na fn f2:0-90\nChapter 2 f2:0-90\nx <T> f2:0-90\nclass Foo "
       "f2:0-90"},
      {"a name that is a place", {row("f24:8-28:3"), row("f")}, "f24:8-28:3 f2:0-90\nf f2:0-90"},
      {"a name that is a row", {row("a f1:0-5\nb")}, "a\\ f1:0-5\\nb f2:0-90"},
      {"names like another line of an answer",
       {row("# truncated: 9 -> 3 tokens"), row("#"), row("#main"), row("==> a.ts <=="), row("==>")},
       "\\# truncated: 9 -> 3 tokens f2:0-90\n\\# f2:0-90\n#main f2:0-90\n\\==> a.ts <== f2:0-90\n"
       "\\==> f2:0-90"},
      {"a backslash, control and bidirectional characters",
       {row("\\a\t\x1b"), symbol("\u202e", 12, wide, {{1, 4}, {1, 5}})},
       "\\\\a\\t\\x1B f2:0-90\n\\u{202E} f1:4-9:1"},
      {"a flat symbol whose container names no row", {row("a"), flat}, "a f2:0-90\nb f2:0-90\tin=else where"},
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

TEST_CASE("tree: hovers") {
  struct Case {
    std::string hover;
    std::string text;  // after the place
  };
  const std::vector<Case> cases{{"", ""},
                                {"const a: number", " const a: number"},
                                {" a ", "  a "},
                                {"\tdetail=x\ny", " \\tdetail=x\\ny"},
                                {"@22 f1:0-5", " @22 f1:0-5"},
                                {"\\", " \\\\"}};
  for (const Case& c : cases) {
    CAPTURE(c.hover);
    const SymbolRows rows{{{row("a"), row("b")}}, {c.hover, "last"}, true};
    const std::string text = "a f2:0-90" + c.text + "\nb f2:0-90 last";
    CHECK(write_tree(rows, full) == text);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
}

TEST_CASE("tree: what a view shows, and what reads back of it") {
  lsp::DocumentSymbol given = symbol("ab", 12, {{24, 8}, {28, 3}}, {{25, 1}, {25, 3}});
  given.detail = "int (int)";
  given.tags = {1, -2};
  given.container_name = "C";
  SymbolRows rows{{{given, row("child", 0)}}, {"hover text", ""}, true, {{"sig", "One. Two."}, {}}};
  rows.left_out = {3, 0};

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
  struct Case {
    const char* what;
    View view;
    std::string line;  // the first one
    lsp::DocumentSymbol back;
  };
  const std::vector<Case> cases{
      {"minimal: lines", minimal, "ab f25-29", symbol("ab", 12, whole_lines, line_start)},
      {"minimal in another order",
       {{range, kind, name}},
       "ab f25-29",
       symbol("ab", 12, whole_lines, line_start)},
      {"minimal with words",
       {minimal.fields, true},
       "ab Function25-29",
       symbol("ab", 12, whole_lines, line_start)},
      {"words", words, "ab Function24:8-28:3@25:1", whole},
      {"no selection", {{name, kind, range, parent}}, "ab f24:8-28:3@?\tin=C", flat},
      {"no kind",
       {{name, range, selection}},
       "ab ?24:8-28:3@25:1",
       symbol("ab", 0, whole_range, given.selection_range)},
      {"no name: no length either",
       {{kind, range, selection}},
       "? f24:8-28:3@25:1-3",
       symbol("", 12, whole_range, given.selection_range)},
      {"name alone", {{name}}, "ab ?", symbol("ab", 0, {}, {})},
      {"nothing", {{}}, "? ?", symbol("", 0, {}, {})},
      {"name and kind", {{name, kind}}, "ab f", symbol("ab", 12, {}, {})},
      {"selection alone",
       {{name, selection}},
       "ab ?@25:1",
       symbol("ab", 0, given.selection_range, given.selection_range)},
      {"lines in place of a range",
       {{name, kind, lines}},
       "ab f25-29",
       symbol("ab", 12, whole_lines, line_start)},
      {"lines and selection",
       {{name, kind, lines, selection}},
       "ab f25-29@25:1",
       symbol("ab", 12, whole_lines, given.selection_range)},
      {"lines beside a range",
       {{name, kind, range, selection, lines}},
       "ab f24:8-28:3@25:1\tlines=25-29",
       whole},
      {"detail and tags",
       {{tags, detail, name, kind, range, selection}},
       "ab f24:8-28:3@25:1\tdetail=int (int)\ttags=1 -2",
       detailed},
      {"what follows from the rest is skipped, the hover's parts are not",
       {{name, kind, range, selection, children, depth, doc, signature}},
       "ab f24:8-28:3@25:1\tsignature=sig\tdoc=One.\tdepth=0\tchildren=4",
       whole},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const std::string text = write_tree(rows, c.view);
    CHECK(text.substr(0, text.find('\n')) == c.line);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    REQUIRE(back->tree.symbols.size() == 2);
    CHECK(back->tree.symbols[0] == c.back);
    CHECK(back->tree.symbols[1].parent == 0);
    CHECK_FALSE(back->with_hover);
    const std::vector<HoverText> parts{{"sig", "One."}, {}};
    CHECK(back->hover_parts == (c.view.needs_hovers() ? parts : std::vector<HoverText>{}));
  }

  View everything{{all_fields.begin(), all_fields.end()}};
  CHECK(write_tree(rows, everything) ==
        "ab f24:8-28:3@25:1 hover text\tin=C\tdetail=int (int)\tlines=25-29\tsignature=sig\tdoc=One.\tdepth=0"
        "\tchildren=4\ttags=1 -2\n child f2:0-90\tlines=3\tdepth=1");
}

TEST_CASE("tree: which fields a text lacks") {
  struct Case {
    const char* text;
    std::vector<Field> lacking;
  };
  const std::vector<Case> cases{
      {"", {}},
      {"a f1:0-5", {}},
      {"a f1:0-5@?", {Field::selection}},
      {"a f25-29", {Field::range, Field::selection}},
      {"a f25-29@24:8", {Field::range}},
      {"a f@24:8", {Field::range, Field::lines}},
      {"a f", {Field::range, Field::selection, Field::lines}},
      {"a ?", {Field::kind, Field::range, Field::selection, Field::lines}},
      {"a f1:0-5\nb ?1:0-5\nc f1:0-5@?", {Field::kind, Field::selection}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<SymbolRows> rows = read_tree(c.text);
    REQUIRE(error_of(rows) == "");
    CHECK(rows->lacking == c.lacking);
  }
}

TEST_CASE("tree: lines are one-based, and give the same lines again") {
  struct Case {
    lsp::Range range;
    std::string lines;
  };
  const std::vector<Case> cases{{{{24, 8}, {28, 3}}, "25-29"},
                                {{{24, 8}, {24, 9}}, "25"},
                                {{{0, 0}, {1, 0}}, "1-2"},
                                {{{9, 0}, {3, 0}}, "10-4"},
                                {{{0, 0}, {4294967295, 0}}, "1-4294967296"}};
  for (const Case& c : cases) {
    CAPTURE(c.lines);
    const std::string text = write_tree(rows_of({symbol("a", 12, c.range, c.range)}), minimal);
    CHECK(text == "a f" + c.lines);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    CHECK(write_tree(*back, minimal) == text);
  }
}

TEST_CASE("tree: beyond 100 levels the level is a number") {
  std::vector<lsp::DocumentSymbol> chain;
  for (std::int32_t level = 0; level <= 103; ++level) chain.push_back(row("a", level - 1));
  chain.push_back(row("b", 100));
  const SymbolRows rows = rows_of(std::move(chain));
  const std::string text = write_tree(rows, standard);
  CHECK(text.ends_with("\n" + std::string(100, ' ') + "a f2:0-90\n\\^101 a f2:0-90\n\\^102 a f2:0-90\n" +
                       "\\^103 a f2:0-90\n\\^101 b f2:0-90"));
  const Result<SymbolRows> back = read_tree(text);
  REQUIRE(error_of(back) == "");
  const bool same = *back == rows;
  CHECK(same);
}

TEST_CASE("tree: invalid bytes are written as U+FFFD, which is what lengths count") {
  const SymbolRows rows = rows_of({symbol("a\xff\xfe", 12, {{2, 0}, {2, 90}}, {{2, 0}, {2, 3}}), row("b")});
  CHECK(write_tree(rows, standard) == "a\ufffd\ufffd f2:0-90\nb f2:0-90");
}

TEST_CASE("tree: what is read besides") {
  const SymbolRows rows = rows_of({row("a"), row("b", 0)});
  const std::vector<std::pair<const char*, std::string>> cases{
      {"a newline at the end", "a f2:0-90\n b f2:0-90\n"},
      {"CR LF", "a f2:0-90\r\n b f2:0-90\r\n"},
      {"the notice of a budget", "a f2:0-90\n b f2:0-90\n# truncated: 9 -> 3 tokens; dropped: hover\n"},
      {"an empty hover", "a f2:0-90 \n b f2:0-90 "},
      {"more escapes than needed", "a f2:0-90\n \\x62 f2:0-90"},
      {"a level as a number", "a f2:0-90\n\\^1 b f2:0-90"},
      {"selections written out", "a f2:0-90@0\n b f2:0-90@2:0-1"},
      {"numbers of kinds that have a letter", "a <12>2:0-90\n b <12>2:0-90"},
  };
  for (const auto& [what, text] : cases) {
    CAPTURE(what);
    const Result<SymbolRows> back = read_tree(text);
    REQUIRE(error_of(back) == "");
    CHECK(*back == rows);
  }
}

TEST_CASE("tree: a tree that is not in pre-order, which SymbolTree rules out, is a wrong text but no more") {
  const SymbolRows rows = rows_of({row("a"), row("b", 0), row("c"), row("d", 1), row("e", 9)});
  CHECK(write_tree(rows, standard) == "a f2:0-90\n b f2:0-90\nc f2:0-90\n  d f2:0-90\ne f2:0-90");
}

TEST_CASE("tree: errors say line, column and what was expected") {
  const std::string shape =
      "expected line:start-end, as in 52:6-61, or startLine:start-endLine:end, as in 24:8-28:3";
  const std::string no_place =
      "expected a name, a space and a position; a row looks like \"countLines f24:8-28:3\": a letter for the "
      "kind, then the range";
  const std::string escapes = "\\\\ \\n \\r \\t \\xHH \\u{HHHH}";
  const std::string good = "é f1:0-9:0\n";
  struct Case {
    std::string text;
    std::string error;  // after "cannot read the tree at "
  };
  const std::vector<Case> cases{
      {"\n", "line 1, column 1: expected a row, found an empty line"},
      {good + "\n" + good, "line 2, column 1: expected a row, found an empty line"},
      {good + "  ", "line 2, column 1: expected a row, found an empty line"},
      {"é", "line 1, column 2: " + no_place},
      {"NAME | KIND | RANGE", "line 1, column 20: " + no_place},
      {"é x1:0-5", "line 1, column 9: " + no_place},
      {" a f1:0-5", "line 1, column 2: the first row must be at level 0, without indentation"},
      {good + "   b f1:0-5",
       "line 2, column 4: level 3, but the row before leaves at most level 1 to this one"},
      {good + "\\^2 b f1:0-5",
       "line 2, column 5: level 2, but the row before leaves at most level 1 to this one"},
      {good + "\\^x b f1:0-5", "line 2, column 3: expected the number of the level after \\^, then a space"},
      {good + "\\^1", "line 2, column 3: expected the number of the level after \\^, then a space"},
      {good + "\\^99999999999999999999 b f1:0-5",
       "line 2, column 3: expected the number of the level after \\^, then a space"},
      {"\\^0  f1:0-5", "line 1, column 5: expected a name; an empty name is written as ?"},
      {"# truncated: 9 -> 3 tokens f1:0-5\n" + good,
       "line 1, column 1: a name cannot start like this, because other lines of an answer do; put a "
       "backslash before it"},
      {"==> a.ts <==\n" + good,
       "line 1, column 1: a name cannot start like this, because other lines of an answer do; put a "
       "backslash before it"},
      {"é\\q f1:0-5",
       "line 1, column 2: the name: \\q is not an escape; the escapes are " + escapes + " \\  \\# \\= \\?"},
      {"é f1:0", "line 1, column 4: cannot read \"1:0\" as a range: " + shape},
      {"é f01:0-5", "line 1, column 4: cannot read \"01:0-5\" as a range: " + shape},
      {"é f1:0-5x",
       "line 1, column 9: expected the end of the position (a space, a tab or the end of the line), found "
       "\"x\""},
      {"é f0", "line 1, column 4: expected a line from 1 to 4294967296, as in 25 or 25-29, found \"0\""},
      {"é f5-", "line 1, column 6: expected a line from 1 to 4294967296, as in 25 or 25-29, found \"\""},
      {"é f5-4294967297",
       "line 1, column 6: expected a line from 1 to 4294967296, as in 25 or 25-29, found \"4294967297\""},
      {"é f5-6-7",
       "line 1, column 6: expected a line from 1 to 4294967296, as in 25 or 25-29, found \"6-7\""},
      {"é f1:0-5@x",
       "line 1, column 10: expected the end of the position (a space, a tab or the end of the line), found "
       "\"x\""},
      {"é f1:0-5@5-", "line 1, column 12: the selection: expected a number up to 4294967295, found \"\""},
      {"é f1:0-5@2:", "line 1, column 12: the selection: expected a number up to 4294967295, found \"\""},
      {"é f1:0-5@4294967296",
       "line 1, column 10: the selection: expected a number up to 4294967295, found \"4294967296\""},
      {"é f1:0-5@4294967295",
       "line 1, column 10: the selection, as long as the name, would end above 4294967295"},
      {"é f1:4294967295-2:0",
       "line 1, column 20: the selection, as long as the name, would end above 4294967295"},
      {"é f1:0-5@2:3-2:4",
       "line 1, column 10: cannot read \"2:3-2:4\" as a range: both ends are on one line, "
       "which is then written once: line:start-end"},
      {"é f5@6",
       "line 1, column 6: the selection: expected line:column or a range, because there is no range before "
       "it"},
      {"é f@",
       "line 1, column 5: the selection: expected line:column or a range, because there is no range before "
       "it"},
      {"é f5@?", "line 1, column 6: the selection: a ? stands only beside a range"},
      {"é f1:0-5 hov\\er", "line 1, column 13: the hover: \\e is not an escape; the escapes are " + escapes},
      {"é f1:0-5\thover",
       "line 1, column 10: expected after a tab a key and a value, as in detail=…, found \"hover\""},
      {"é f1:0-5\t", "line 1, column 10: expected after a tab a key and a value, as in detail=…, found \"\""},
      {"é f1:0-5\tcolour=red",
       "line 1, column 10: unknown key \"colour\"; the keys are in, detail, tags, lines, signature, doc, "
       "depth "
       "and "
       "children"},
      {"é f1:0-5\tdepth=1\tdepth=1", "line 1, column 18: the key \"depth\" appears twice"},
      {"é f1:0-5\tdetail=a\\",
       "line 1, column 18: detail: the backslash at the end escapes nothing; a backslash is "
       "written \\\\"},
      {"é f1:0-5\ttags=1 ", "line 1, column 17: tags: expected numbers, as in 1 2, found \"\""},
      {"é f1:0-5\ttags=x", "line 1, column 15: tags: expected numbers, as in 1 2, found \"x\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<SymbolRows> rows = read_tree(c.text);
    REQUIRE_FALSE(rows.has_value());
    CHECK(rows.error().text() == "cannot read the tree at " + c.error);
  }
}

}  // namespace
}  // namespace symbols::table
