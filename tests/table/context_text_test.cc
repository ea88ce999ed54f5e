// Everything about one symbol as text, and what it gives up for a budget, in which order.
#include "table/context_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/formats/format.h"
#include "table/token_estimate.h"
#include "tests/table/made_row.h"

namespace context_text_test {
using namespace symbols;
using namespace symbols::table;

// outer { C { f { x } g } h }
lsp::SymbolTree small_tree() {
  lsp::SymbolTree tree;
  tree.symbols = {symbol("outer", 3, {{0, 0}, {9, 1}}, {{0, 6}, {0, 11}}, -1),
                  symbol("C", 5, {{1, 0}, {5, 1}}, {{1, 6}, {1, 7}}, 0),
                  symbol("f", 6, {{2, 0}, {3, 1}}, {{2, 4}, {2, 5}}, 1),
                  symbol("x", 13, {{2, 8}, {2, 9}}, {{2, 8}, {2, 9}}, 2),
                  symbol("g", 6, {{4, 0}, {4, 9}}, {{4, 4}, {4, 5}}, 1),
                  symbol("h", 12, {{7, 0}, {7, 9}}, {{7, 4}, {7, 5}}, 0)};
  return tree;
}

SymbolContext full_context() {
  SymbolContext context;
  context.rows = made_rows({{symbol("Rectangle", 5, {{0, 0}, {40, 30}}, {{0, 2}, {0, 9}})}},
                           {"class Rectangle - A shape with four sides and four right angles."});
  context.signature = "class Rectangle";
  for (std::uint32_t i = 1; i <= 20; ++i) {
    const std::string name = "member" + std::to_string(i - 1);
    context.rows.all.push_back({symbol(name, 6, {{i, 0}, {i, 30}}, {{i, 2}, {i, 9}}, 0)});
    context.rows.all.back().hover = "(method) Rectangle." + name + "(): void";
  }
  context.children_total = 20;
  context.source.value = SourceLines{.first = 0, .lines = {}, .total = 40};
  for (int i = 0; i < 40; ++i)
    context.source.value->lines.push_back("  const value" + std::to_string(i) + " = 1;");
  context.references.value = lsp::LocationList{};
  context.callers.value = lsp::HierarchyList{};
  context.diagnostics.value = lsp::DiagnosticList{};
  for (std::uint32_t i = 0; i < 10; ++i) {
    context.references.value->first.push_back({"file:///p/other.ts", {{i, 0}, {i, 9}}});
    context.callers.value->first.push_back({.name = "caller" + std::to_string(i),
                                            .kind = 12,
                                            .uri = "file:///p/o.ts",
                                            .selection_range = {{i, 0}, {i, 9}},
                                            .from_ranges = {}});
    context.diagnostics.value->first.push_back(
        {.range = {{i, 0}, {i, 9}}, .code = {}, .source = {}, .message = "wrong"});
  }
  context.references.value->total = 37;
  context.callers.value->total = context.diagnostics.value->total = 10;
  return context;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_heading(const std::string& line) {
  return line.starts_with("# ") && line.find(" | ") == std::string::npos;
}

TEST_CASE("uses that name another declaration") {
  SymbolContext context;
  context.rows = made_rows({{symbol("area", 6, {{0, 0}, {1, 0}}, {{0, 2}, {0, 6}})}});
  const std::optional<lsp::Place> base = lsp::Place{"file:///p/a b.h", {3, 17}};
  const std::string uri = "file:///p/use.cc";
  context.references.value = lsp::LocationList{.first = {{uri, {{1, 2}, {1, 6}}},
                                                         {uri, {{2, 2}, {2, 6}}, base},
                                                         {uri, {{3, 2}, {3, 6}}, base},
                                                         {uri, {{4, 2}, {4, 6}}}},
                                               .total = 4};
  context.callers.value = lsp::HierarchyList{.first = {{.name = "f",
                                                        .kind = 12,
                                                        .uri = uri,
                                                        .selection_range = {{1, 0}, {1, 1}},
                                                        .from_ranges = {{{2, 2}, {2, 6}}},
                                                        .named = base}},
                                             .total = 1};
  const std::string table = write_context(context);
  CHECK(has(table, "/p/use.cc | 1:2-6\n/p/use.cc | 2:2-6 3:2-6 | names /p/a b.h 3:17\n/p/use.cc | 4:2-6\n"));
  CHECK(has(table, "f | 12 | 1:0-1 | 2:2-6 | /p/use.cc | names /p/a b.h 3:17"));
  context.outline_folder = "/p";
  const std::string outline = write_context(context);
  CHECK(has(outline, "use.cc: 2\nuse.cc: 3 4 (names a b.h:4)\nuse.cc: 5\n"));
  CHECK(has(outline, "f use.cc:2: 3 (names a b.h:4)"));
}

TEST_CASE("the rows of a symbol and of what lies below it") {
  struct Case {
    std::optional<Levels> levels;
    std::size_t most;
    std::string names;
    std::size_t total;
  };
  const Case cases[] = {
      {{}, 100, "C f g", 2},
      {Levels{Levels::Rule::top_level}, 100, "C", 0},
      {Levels{Levels::Rule::all}, 100, "C f x g", 3},
      {Levels{Levels::Rule::automatic}, 100, "C f x g", 3},
      {Levels{Levels::Rule::count, 1}, 100, "C f g", 2},
      {Levels{Levels::Rule::count, 2}, 100, "C f x g", 3},
      {Levels{Levels::Rule::all}, 2, "C f x", 3},
      {{}, 0, "C", 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.names);
    SymbolContext context;
    set_context_rows(context, small_tree(), 1, c.levels, c.most);
    std::string names;
    for (const auto& symbol : context.rows.all) names += (names.empty() ? "" : " ") + symbol.name;
    CHECK(names == c.names);
    CHECK(context.children_total == c.total);
    CHECK(context.rows.all.front().container_name == "outer");
    const Result<SymbolRows> read = read_table(write_table(context.rows));
    REQUIRE(read.has_value());
    CHECK(read->all == context.rows.all);
  }
}

TEST_CASE("the lines of a symbol") {
  const std::string text = "zero\none\r\n\ttwo\n" + std::string(500, 'x') + "\nlast";
  const lsp::PositionIndex document(text);
  const auto lines = [&](const lsp::Range& range, std::size_t most) {
    return source_lines(document, range, most)->lines;
  };
  using Lines = std::vector<std::string>;
  CHECK(lines({{0, 2}, {1, 1}}, 40) == Lines{"zero", "one"});
  CHECK(lines({{0, 0}, {1, 0}}, 40) == Lines{"zero"});
  CHECK(lines({{1, 0}, {2, 4}}, 1) == Lines{"one"});
  CHECK(source_lines(document, {{1, 0}, {2, 4}}, 1)->total == 2);
  CHECK(lines({{3, 490}, {4, 1}}, 40) == Lines{std::string(10, 'x'), "last"});
  CHECK(lines({{2, 0}, {3, 5}}, 40)[1] == std::string(399, 'x') + "…");
  CHECK(lines({{4, 0}, {99, 0}}, 40) == Lines{"last"});
  CHECK(!source_lines(document, {{5, 0}, {6, 0}}, 40).has_value());
  CHECK(!source_lines(document, {{2, 0}, {1, 0}}, 40).has_value());
}

TEST_CASE("diagnostics in the symbol come first, the worst of them before the others") {
  lsp::DiagnosticList list;
  const auto add = [&](std::uint32_t line, std::int64_t severity, std::string message) {
    list.first.push_back({.range = {{line, 0}, {line, 3}},
                          .severity = severity,
                          .code = {},
                          .source = {},
                          .message = std::move(message)});
    ++list.total;
  };
  add(0, 1, "far");
  add(5, 2, "in, a warning");
  add(6, 1, "in, an error");
  add(6, 1, "in, another");
  add(9, 4, "far, a hint");
  keep_diagnostics(list, 4, lsp::Range{{5, 0}, {7, 0}});
  std::vector<std::string> messages;
  for (const auto& diagnostic : list.first) messages.push_back(diagnostic.message);
  CHECK(messages == std::vector<std::string>{"in, an error", "in, another", "in, a warning", "far"});
  CHECK(list.total == 5);
}

SymbolContext whole_context() {
  SymbolContext context;
  set_context_rows(context, small_tree(), 1, {}, 1);
  context.rows.with_hover = true;
  context.rows.all[0].hover = "class C";
  context.source.value = SourceLines{.first = 1, .lines = {"class C {", "  a || b"}, .total = 5};
  context.references.value = lsp::LocationList{.first = {{"file:///a%20b.x", {{1, 2}, {1, 3}}},
                                                         {"file:///a%20b.x", {{2, 2}, {3, 3}}},
                                                         {"other:c|d", {{4, 2}, {4, 3}}}},
                                               .total = 9};
  context.callers.value = lsp::HierarchyList{.first = {{.name = "main | x",
                                                        .kind = 12,
                                                        .uri = "file:///m.x",
                                                        .selection_range = {{1, 2}, {1, 6}},
                                                        .from_ranges = {{{3, 1}, {3, 2}}, {{4, 1}, {4, 2}}}}},
                                             .total = 1};
  context.diagnostics.value = lsp::DiagnosticList{
      .first = {{.range = {{1, 0}, {1, 1}}, .code = "7", .source = "cc", .message = "two\nlines"},
                {.range = {{2, 0}, {2, 1}}, .severity = 3, .code = "", .source = "", .message = "m"}},
      .total = 2};
  return context;
}

TEST_CASE("a whole context") {
  CHECK(write_context(whole_context()) == R"(NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL
C | 5 | 1:0-5:1 | 1:6-7 | outer | class C | <<<
f | 6 | 2:0-3:1 | 2:4-5 | C |  | <<<
# children 1 of 2
# source 1:0-5:1, 2 of 5 lines
1:class C {
2:  a || b
# references 3 of 9
/a b.x | 1:2-3 2:2-3:3
other:c\|d | 4:2-3
# callers 1
main \| x | 12 | 1:2-6 | 3:1-2 4:1-2 | /m.x
# diagnostics 2
1:0-1 | error | two\nlines | cc 7
2:0-1 | information | m)");
}

TEST_CASE("a context for people and models: lines from one, paths from their folder") {
  SymbolContext context = whole_context();
  context.outline_folder = "/home/p";
  context.uri = "file:///home/p/src/c.x";
  context.source.value->lines[1] = "\ta || \"\\n\"\x1B[2J";
  context.references.value->first.insert(context.references.value->first.begin(),
                                         {"file:///home/q/d.x", {{8, 0}, {8, 1}}});
  context.references.value->first.push_back({"file:///home/p/e.x", {{0, 0}, {0, 1}}});
  context.callers.value->first.front().name = "main";
  CHECK(write_context(context) == R"(c2-6 C:-	class C
 m3-4 f
# children 1 of 2
# source src/c.x:2-6, 2 of 5 lines
 class C {
 	a || "\n"\x1B[2J
# references 5 of 9
../q/d.x: 9
/a b.x: 2 3
other:c|d: 5
e.x: 1
# callers 1
main /m.x:2: 4 5
# diagnostics
2 diagnostics:
2:1  error        two lines  cc 7
3:1  information  m)");
  context.source.value = SourceLines{.first = 1, .lines = {"x"}, .total = 1};
  CHECK(write_context(context).find("\n# source src/c.x:2\n x\n") != std::string::npos);
}

TEST_CASE("a context's parts on demand: implementations, callees, types above and below") {
  SymbolContext context;
  context.rows = whole_context().rows;
  context.completeness = "whole project";
  context.types_completeness = "loaded files only";
  context.implementations.value =
      lsp::LocationList{.first = {{"file:///p/a.x", {{4, 2}, {4, 3}}}}, .total = 2};
  const lsp::HierarchyItem item{.name = "g",
                                .kind = 12,
                                .uri = "file:///p/b.x",
                                .selection_range = {{7, 4}, {7, 5}},
                                .from_ranges = {{{2, 6}, {2, 7}}}};
  lsp::HierarchyItem type = item;
  type.from_ranges.clear();
  context.callees.value = lsp::HierarchyList{.first = {item}, .total = 1};
  context.supertypes.value = lsp::HierarchyList{.first = {type}, .total = 1};
  context.subtypes.failure = "not offered by the server";
  const std::string text = write_context(context);
  CHECK(text.substr(text.find("\n# ")) == R"(
# implementations 1 of 2, loaded files only
/p/a.x | 4:2-3
# callees 1
g | 12 | 7:4-5 | 2:6-7 | /p/b.x
# supertypes 1
g | 12 | 7:4-5 |  | /p/b.x
# subtypes: not offered by the server)");
  context.outline_folder = "/p";
  context.subtypes = {.value = lsp::HierarchyList{}};
  const std::string outline = write_context(context);
  CHECK(outline.substr(outline.find("\n# ")) == R"(
# implementations 1 of 2, loaded files only
a.x: 5
# callees 1
g b.x:8
# supertypes 1
g b.x:8
# subtypes 0, loaded files only)");
}

TEST_CASE("a path from a folder, where that is shorter") {
  const struct {
    const char* folder;
    const char* path;
    const char* shown;
  } cases[] = {
      {"/p", "/p/a.x", "a.x"},
      {"/p/", "/p/s/a.x", "s/a.x"},
      {"/", "/a.x", "a.x"},
      {"/home/p", "/home/p", "."},
      {"/home/p/s", "/home/p", ".."},
      {"/home/p/s", "/home/p/a.x", "../a.x"},
      {"/home/p", "/home/pq/a.x", "../pq/a.x"},
      {"/home/u/p", "/usr/a.x", "/usr/a.x"},
      {"/a", "/b", "/b"},
      {"", "/b", "/b"},
  };
  for (const auto& c : cases) CHECK(path_from(c.folder, c.path) == c.shown);
}

TEST_CASE("a context on a terminal is no wider than it, and has the symbol's hover whole") {
  SymbolContext context = whole_context();
  context.outline_folder = "/";
  context.uri = "file:///c.x";
  context.page = PrettyStyle{.width = 24};
  context.rows.all[0].hover = "class C - Keeps what others need";
  context.rows.all[1].hover = "f";
  context.completeness = "in a/long/folder only";
  CHECK(write_context(context) == R"(2-6  Class   C
  class C - Keeps what
  others need
3-4  Method    f  f
# children 1 of 2
# source c.x:2-6, 2 of 5
  lines
 class C {
   a || b
# references 3 of 9, in
  a/long/folder only
a b.x: 2 3
other:c|d: 5
# callers 1, in
  a/long/folder only
main | x m.x:2: 4 5
# diagnostics
2 diagnostics:
2:1  error        two
  lines  cc 7
3:1  information  m)");
}

TEST_CASE("a context in which all has failed names each part, and one that nobody wants none") {
  SymbolContext context;
  set_context_rows(context, small_tree(), 3, {}, 100);
  CHECK(write_context(context) == "NAME | KIND | RANGE | SELECTION | PARENT\nx | 13 | 2:8-9 | 2:8-9 | f");
  context.hover_failure = "a";
  context.source.failure = "b";
  context.references.failure = "not\noffered | at all";
  context.callers.failure = std::string(1000, 'c');
  context.diagnostics.failure = "e";
  CHECK(write_context(context) ==
        "NAME | KIND | RANGE | SELECTION | PARENT\nx | 13 | 2:8-9 | 2:8-9 | f\n"
        "# hover: a\n# source: b\n# references: not\\noffered \\| at all\n# callers: " +
            std::string(299, 'c') + "…\n# diagnostics: e");
  context.references = {.value = lsp::LocationList{}, .failure = {}};
  CHECK(write_context(context).find("\n# references 0\n") != std::string::npos);
}

TEST_CASE("nothing of a server's or a file's can look like a heading") {
  const std::string evil = "# source 0:0-1:0\n# callers 0\r# x\xE2\x80\xA8# y";
  lsp::SymbolTree tree = small_tree();
  for (auto& symbol : tree.symbols) symbol.name = evil;
  SymbolContext context;
  set_context_rows(context, tree, 1, {}, 100);
  context.rows.with_hover = true;
  for (Row& row : context.rows.all) row.hover = evil;
  context.source.value = SourceLines{.first = 1, .lines = {evil, "# callers 7"}, .total = 2};
  context.references.value = lsp::LocationList{.first = {{evil, {}}}, .total = 1};
  context.callers.value = lsp::HierarchyList{
      .first = {{.name = evil, .kind = 1, .uri = evil, .selection_range = {}, .from_ranges = {}}},
      .total = 1};
  context.diagnostics.value = lsp::DiagnosticList{
      .first = {{.range = {}, .code = evil, .source = evil, .message = evil}}, .total = 1};
  std::vector<std::string> headings;
  for (const std::string& line : lines_of(write_context(context))) {
    if (is_heading(line)) headings.push_back(line);
  }
  CHECK(headings ==
        std::vector<std::string>{"# source 1:0-5:1", "# references 1", "# callers 1", "# diagnostics 1"});

  // A line of a file has no line ends.
  context.source.value->lines = {"# callers 7"};
  context.outline_folder = "/";
  context.uri = evil;
  headings.clear();
  for (const std::string& line : lines_of(write_context(context))) {
    if (is_heading(line)) headings.push_back(line.substr(0, line.find(' ', 2)));
  }
  CHECK(headings == std::vector<std::string>{"# source", "# references", "# callers", "# diagnostics"});
}

TEST_CASE("a context gives up one thing after the other, only as far as needed, and says what") {
  const SymbolContext context = full_context();
  const std::vector<std::string> order = {"of children", "child",      "source line", "reference",
                                          "caller",      "diagnostic", "hover prose", "signature character"};
  std::size_t last_stage = 0;
  for (std::size_t budget = estimate_tokens(write_context(context)) - 1; budget > 30; budget -= 7) {
    CAPTURE(budget);
    const BudgetedText fitted = fit_context(context, budget);
    CHECK(fitted.text.ends_with("\n# truncated: " + fitted.notice));
    CHECK(has(fitted.text, "\n# references "));
    // Whatever is named comes with all that is given up before it.
    std::size_t stage = 0;
    while (stage < order.size() && has(fitted.notice, order[stage])) ++stage;
    for (std::size_t i = stage; i < order.size(); ++i) CHECK(!has(fitted.notice, order[i]));
    CHECK(stage >= last_stage);
    last_stage = stage;
    if (stage < order.size()) CHECK(estimate_tokens(fitted.text) <= budget);
    // Cut within the step: one more line of any part would be too much.
    if (stage < order.size() - 1) CHECK(estimate_tokens(fitted.text) + 40 > budget);
    const std::string told = " -> " + std::to_string(estimate_tokens(fitted.text)) + " tokens; dropped: ";
    CHECK(has(fitted.notice, told));
  }
  CHECK(last_stage == order.size());
}

TEST_CASE("what a context has given up is still counted") {
  const BudgetedText fitted = fit_context(full_context(), 1);
  CHECK(has(fitted.text, "Rectangle | 5 | 0:0-40:30 | 0:2-9 |  |  | <<<\n# children 0 of 20\n"));
  CHECK(has(fitted.text,
            "\n# source 0:0-40:30, 0 of 40 lines\n# references 0 of 37\n# callers 0 of 10\n# diagnostics 0 "
            "of 10\n"));
  CHECK(has(fitted.notice,
            "dropped: 20 hovers of children, 20 children, 40 source lines, 10 references, 10 callers, "
            "10 diagnostics, hover prose, 15 signature characters"));
}

TEST_CASE("a signature longer than the budget is cut until it fits") {
  SymbolContext context = full_context();
  std::string signature = "type Options = {";
  for (int i = 0; i < 500; ++i) signature += " property" + std::to_string(i) + ": \u00e9tat;";
  context.signature = signature;
  SUBCASE("with prose") {
    context.rows.all.front().hover = signature + " - What there is to choose.";
  }
  SUBCASE("without") {
    context.rows.all.front().hover = signature;
  }
  std::size_t last = 10'000;
  for (const std::size_t budget : {2000, 1000, 500, 250, 160}) {
    CAPTURE(budget);
    const BudgetedText fitted = fit_context(context, budget);
    CHECK(estimate_tokens(fitted.text) <= budget);
    CHECK(has(fitted.text, "\nRectangle | 5 | 0:0-40:30 | 0:2-9 |  | "));
    CHECK(has(fitted.notice, " signature characters"));
    CHECK(fitted.text.size() < last);
    last = fitted.text.size();
  }
  CHECK(has(fit_context(context, 1000).text, " | type Options = { property0: \u00e9tat;"));
  CHECK(has(fit_context(context, 1000).text, "\u2026 | <<<\n"));
  CHECK(estimate_tokens(fit_context(context, 1).text) < 160);
}

TEST_CASE("diagnostics as lines and as JSON, and within a budget") {
  Diagnostics part;
  std::string lines;
  append_diagnostics(lines, part);
  CHECK(lines.empty());
  part.failure = "because\n# of that";
  append_diagnostics(lines, part);
  CHECK(lines == "# diagnostics: because\\n# of that");

  part = {.value = lsp::DiagnosticList{}};
  part.value->first = {
      {.range = {{1, 2}, {1, 3}},
       .severity = 2,
       .code = "5",
       .code_is_number = true,
       .source = "cc",
       .message = "w|x"},
      {.range = {{4, 0}, {5, 1}}, .severity = 1, .code = "E5", .source = {}, .message = "\u00e9"}};
  part.value->total = 7;
  keep_diagnostics(*part.value, 2);
  lines = "rows";
  append_diagnostics(lines, part);
  CHECK(lines == "rows\n# diagnostics 2 of 7\n4:0-5:1 | error | \u00e9 | E5\n1:2-3 | warning | w\\|x | cc 5");
  CHECK(
      diagnostics_json(*part.value) ==
      R"([{"range":{"start":{"line":4,"character":0},"end":{"line":5,"character":1}},"severity":1,"code":"E5",)"
      R"("message":"\u00e9"},{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}},)"
      R"("severity":2,"code":5,"source":"cc","message":"w|x"}])");

  std::string members = "{";
  append_diagnostics_members(members, part);
  CHECK(members == "{,\"diagnostics\":" + diagnostics_json(*part.value) + ",\"diagnostics_total\":7");
  members.clear();
  append_diagnostics_members(members, {.value = {}, .failure = "no\"ne"});
  CHECK(members == R"(,"_diagnostics_error":"no\"ne")");

  using enum DiagnosticsPlace;
  for (const DiagnosticsPlace place : {behind_rows, lines_beside, json_beside}) {
    Diagnostics fitted = part;
    const BesideRows whole = fit_diagnostics(fitted, place, 1000);
    CHECK(fitted.value->first.size() == 2);
    CHECK(whole.given_up.empty());
    CHECK(whole.lines.empty() == (place != behind_rows));
    CHECK((whole.tokens == 0) == (place == behind_rows));
    const BesideRows half = fit_diagnostics(fitted, place, place == json_beside ? 120 : 50);
    CHECK(fitted.value->first.size() == 1);
    CHECK(half.given_up == "1 diagnostic");
    CHECK(half.tokens <= whole.tokens);
    CHECK(half.tokens_given_up > 5);
    CHECK(fit_diagnostics(fitted, place, 1).given_up == "1 diagnostic");
    CHECK(fitted.value->first.empty());
    CHECK(fitted.value->total == 7);
    CHECK(fit_diagnostics(fitted, place).given_up.empty());
  }
}

}  // namespace context_text_test
