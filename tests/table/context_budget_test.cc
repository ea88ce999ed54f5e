// What the context of a symbol gives up for a budget, and in which order.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/context_text.h"
#include "table/token_estimate.h"

using namespace symbols;
using namespace symbols::table;

namespace {

SymbolContext full_context() {
  SymbolContext context;
  const auto symbol = [](const std::string& name, std::uint32_t line, std::int32_t parent) {
    lsp::DocumentSymbol made;
    made.name = name;
    made.kind = parent < 0 ? 5 : 6;
    made.range = {{line, 0}, {line + (parent < 0 ? 40U : 0U), 30}};
    made.selection_range = {{line, 2}, {line, 9}};
    made.parent = parent;
    return made;
  };
  context.rows.with_hover = true;
  context.rows.all.push_back({symbol("Rectangle", 0, -1)});
  context.rows.all.back().hover = "class Rectangle - A shape with four sides and four right angles.";
  context.signature = "class Rectangle";
  for (std::uint32_t i = 0; i < 20; ++i) {
    context.rows.all.push_back({symbol("member" + std::to_string(i), i + 1, 0)});
    context.rows.all.back().hover = "(method) Rectangle.member" + std::to_string(i) + "(): void";
  }
  context.children_total = 20;
  context.source.value = SourceLines{.first = 0, .lines = {}, .total = 40};
  for (int i = 0; i < 40; ++i)
    context.source.value->lines.push_back("  const value" + std::to_string(i) + " = 1;");
  context.references.value = lsp::LocationList{};
  context.callers.value = lsp::IncomingCallList{};
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

}  // namespace

TEST_CASE("a context within its budget is whole") {
  const SymbolContext context = full_context();
  const std::string whole = write_context(context);
  const BudgetedText fitted = fit_context(context, estimate_tokens(whole));
  CHECK(fitted.text == whole);
  CHECK(fitted.notice.empty());
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
