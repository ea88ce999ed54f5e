#include "table/budget.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "table/formats/format.h"
#include "table/token_estimate.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace budget_test {

std::string write_lines(const SymbolRows& rows, const View& view, std::string_view notice) {
  std::string text = write_tsv(rows, view);
  append_notice(text, notice);
  return text;
}

// `width` classes, each with one row below it on each of the other levels, and hovers on all.
SymbolRows layered_rows(std::size_t width, std::size_t levels) {
  SymbolRows rows;
  rows.with_hover = true;
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t level = 0; level < levels; ++level) {
      const auto row = static_cast<std::uint32_t>(rows.all.size());
      Row& symbol = rows.all.emplace_back();
      symbol.name = "row" + std::to_string(row);
      symbol.kind = 5;
      symbol.range = {{row, 0}, {row + 7, 1}};
      symbol.selection_range = {{row, 6}, {row, 11}};
      symbol.parent = level == 0 ? -1 : static_cast<std::int32_t>(row) - 1;
      symbol.hover_parts = {"class " + symbol.name, "It is one of the rows that this test needs."};
      symbol.hover = join_hover(symbol.hover_parts);
    }
  }
  return rows;
}

std::string dropped(const std::string& notice) {
  const std::string mark = "dropped: ";
  const std::size_t at = notice.find(mark);
  return at == std::string::npos ? notice : notice.substr(at + mark.size());
}

// Without the numbers of rows that keep something.
std::string step_of(std::string what) {
  for (const std::string_view start : {" of the last ", " but "}) {
    for (std::size_t at; (at = what.find(start)) != std::string::npos;) {
      what.erase(at, what.find(" rows", at) + 5 - at);
    }
  }
  return what;
}

const View full{fields_of(Verbosity::full)};

TEST_CASE("budget: what fits is left alone") {
  const SymbolRows rows = layered_rows(10, 3);
  const std::string whole = write_lines(rows, full, "");
  const BudgetedText text = fit_budget(rows, full, estimate_tokens(whole), write_lines);
  CHECK(text.text == whole);
  CHECK(text.notice.empty());
  CHECK(text.tokens == estimate_tokens(whole));
}

TEST_CASE("budget: a tokenizer that counts each digit gets fewer rows, and the notice counts its tokens") {
  const SymbolRows rows = layered_rows(10, 4);
  const BudgetedText text = fit_budget(rows, full, {300, Tokenizer::digits}, write_lines);
  CHECK(text.tokens == estimate_tokens(text.text, Tokenizer::digits));
  CHECK(text.tokens <= 300);
  const std::size_t whole = estimate_tokens(write_lines(rows, full, ""), Tokenizer::digits);
  CHECK(text.notice.starts_with(std::to_string(whole) + " -> " + std::to_string(text.tokens) + " tokens; "));
  CHECK(lines_of(text.text).size() < lines_of(fit_budget(rows, full, 300, write_lines).text).size());
}

TEST_CASE("budget: the order of sacrifices, each only as far as needed") {
  std::vector<std::string> levels;
  const auto levels_of = [](const std::string& notice) {
    return notice.substr(notice.find("levels>") + std::string("levels>").size(), 1);
  };
  const SymbolRows rows = layered_rows(10, 4);
  const std::size_t whole = estimate_tokens(write_lines(rows, full, ""));
  std::vector<std::string> steps;
  for (std::size_t budget = whole - 1; budget >= 50; budget -= 3) {
    const BudgetedText text = fit_budget(rows, full, budget, write_lines);
    CAPTURE(text.text);
    REQUIRE(text.tokens <= budget);
    REQUIRE((text.tokens * 100 >= budget * 85 || text.tokens + 20 > budget));
    std::string what = step_of(dropped(text.notice));
    what.resize(std::min(what.find(", levels"), what.size()));
    if (steps.empty() || steps.back() != what) steps.push_back(what);
    if (text.notice.find("levels") != std::string::npos) levels.push_back(levels_of(text.notice));
  }
  CHECK(steps ==
        std::vector<std::string>{"hover prose", "hover", "hover, selection", "hover, selection, parent"});
  CHECK(std::ranges::is_sorted(levels, std::greater<>()));
  CHECK(std::set<std::string>(levels.begin(), levels.end()) == std::set<std::string>{"1", "2", "3"});
}

TEST_CASE("budget: what remains is filled from the top") {
  const SymbolRows rows = layered_rows(10, 4);
  const std::size_t whole = estimate_tokens(write_lines(rows, full, ""));
  const BudgetedText prose = fit_budget(rows, full, whole * 9 / 10, write_lines);
  CHECK(prose.text.find("row0\t5\t0:0-7:1\t0:6-11\t\tclass row0 - It is one of") != std::string::npos);
  CHECK(prose.text.find("class row39\n") != std::string::npos);
  const std::size_t standard = estimate_tokens(write_lines(rows, {fields_of(Verbosity::standard)}, ""));
  const BudgetedText signatures = fit_budget(rows, full, standard + 150, write_lines);
  CAPTURE(signatures.text);
  CHECK(signatures.text.find("\tclass row0\n") != std::string::npos);
  CHECK(signatures.text.find("\trow38\t\n") != std::string::npos);
  CHECK(signatures.notice.find("hover of the last ") != std::string::npos);
  const View minimal{fields_of(Verbosity::minimal)};
  const std::size_t names = estimate_tokens(write_lines(rows, minimal, ""));
  const BudgetedText levels = fit_budget(rows, minimal, names * 7 / 10, write_lines);
  CHECK(levels.text.find("\nrow2\t") != std::string::npos);
  CHECK(levels.text.find("\nrow38\t") == std::string::npos);
  CHECK(levels.text.find("\nrow37\t") != std::string::npos);
  CHECK(levels.notice.find("levels>2 but ") != std::string::npos);
}

TEST_CASE("budget: signatures of details, for the first rows") {
  SymbolRows rows;
  for (std::uint32_t row = 0; row < 40; ++row) {
    lsp::DocumentSymbol& symbol = rows.all.emplace_back();
    symbol.name = "function" + std::to_string(row);
    symbol.kind = 12;
    symbol.detail = "int (const std::string &)";
    symbol.range = {{row * 9, 0}, {row * 9 + 7, 1}};
  }
  const View view{.fields = fields_of(Verbosity::signatures), .signatures = true};
  const auto write = [](const SymbolRows& some, const View& shown, std::string_view notice) {
    std::string text = shown.signatures ? write_tree_signatures(some, shown) : write_tree(some, shown);
    append_notice(text, notice);
    return text;
  };
  const BudgetedText text = fit_budget(rows, view, 300, write);
  CAPTURE(text.text);
  CHECK(text.tokens <= 300);
  CHECK(text.tokens > 270);
  CHECK(text.text.find("f1 function0(const std::string &) -> int") != std::string::npos);
  CHECK(text.text.find("function39\n# truncated: ") != std::string::npos);
  CHECK(dropped(text.notice).starts_with("signature of the last "));
}

TEST_CASE("budget: what was folded at a dropped row is missing with it") {
  SymbolRows rows = layered_rows(10, 1);
  for (Row& row : rows.all) row.folded = {.inside = 2, .after = 1};
  const BudgetedText text = fit_budget(rows, {fields_of(Verbosity::minimal)}, 50, write_lines);
  const std::size_t shown = lines_of(text.text).size() - 2;  // between the fields and the notice
  CAPTURE(text.text);
  CAPTURE(text.notice);
  REQUIRE(shown > 0);
  REQUIRE(shown < 10);
  CHECK(text.notice.ends_with(std::to_string((10 - shown) * 4) + " rows"));
}

TEST_CASE("budget: what the notice says is what the text lacks") {
  const SymbolRows rows = layered_rows(10, 4);
  const std::size_t whole = estimate_tokens(write_lines(rows, full, ""));
  for (std::size_t budget = whole - 1; budget >= 50; budget -= 7) {
    const BudgetedText text = fit_budget(rows, full, budget, write_lines);
    CAPTURE(text.text);
    const std::vector<std::string> lines = lines_of(text.text);
    const std::string tokens = std::to_string(whole) + " -> " + std::to_string(text.tokens) + " tokens; ";
    CHECK(text.notice.starts_with(tokens + "dropped: "));
    CHECK(lines.back() == "# truncated: " + text.notice);
    CHECK(text.tokens == estimate_tokens(text.text));
    const std::string what = dropped(text.notice);
    const std::size_t gone = 40 - (lines.size() - 2);
    CHECK((what.find(" " + std::to_string(gone) + " row") != std::string::npos) == (gone > 0));
    // Rows go from the end: those of a level that is kept are the first ones.
    if (what.find("levels>1,") != std::string::npos) {
      for (std::size_t row = 1; row + 1 < lines.size(); ++row) {
        CHECK(lines[row].starts_with("row" + std::to_string((row - 1) * 4) + "\t"));
      }
    }
    const bool says_selection = text.text.find(":6-11") != std::string::npos;
    CHECK(says_selection == (what.find("selection") == std::string::npos));
    const bool keeps_signatures = what.starts_with("hover prose") || what.starts_with("hover of the last ");
    CHECK((text.text.find("class") != std::string::npos) == keeps_signatures);
  }
}

TEST_CASE("budget: further fields go with what they are of") {
  SymbolRows rows = layered_rows(10, 2);
  const View view{{Field::doc, Field::name, Field::tags, Field::lines, Field::signature, Field::hover}};
  std::vector<std::string> steps;
  for (std::size_t budget = estimate_tokens(write_lines(rows, view, "")) - 1; budget > 60; budget -= 3) {
    const std::string what = step_of(dropped(fit_budget(rows, view, budget, write_lines).notice));
    if (steps.empty() || steps.back() != what) steps.push_back(what);
  }
  REQUIRE(steps.size() >= 3);
  CHECK(steps[0] == "hover prose, doc");
  CHECK(steps[1] == "doc, signature, hover");
  CHECK(steps[2].starts_with("doc, signature, hover, tags"));
}

TEST_CASE("budget: hovers that were cut, and those whose parts nobody knows") {
  SymbolRows rows = layered_rows(3, 1);
  rows = made_rows(tree_of(rows), {"class row0 - Lo…", "class row1 with…", "All pr…"},
                   {{"class row0", "Long."}, {"class row1 with a long signature", "x"}, {"", "All prose."}});
  std::vector<std::string> shown;
  const auto spy = [&](const SymbolRows& some, const View& view, std::string_view notice) {
    if (!notice.empty() && view.shows(Field::hover) && shown.empty()) shown = hovers_of(some);
    return write_lines(some, view, notice) + std::string(some.with_hover ? 500 : 0, '.');
  };
  fit_budget(rows, full, 50, spy);
  CHECK(shown == std::vector<std::string>{"class row0", "class row1 with…", ""});

  for (Row& row : rows.all) row.hover_parts = {};
  CHECK(dropped(fit_budget(rows, full, 60, spy).notice).starts_with("hover"));
}

TEST_CASE("budget: too small for anything") {
  struct Case {
    SymbolRows rows;
    std::size_t budget;
    std::string dropped;
  };
  const std::vector<Case> cases{
      {layered_rows(10, 3), 0, "hover, selection, parent, levels>1, 30 rows (10 from the end)"},
      {layered_rows(10, 1), 1, "hover, selection, parent, 10 rows"},
      {layered_rows(1, 1), 5, "hover, selection, parent, 1 row"},
  };
  for (const Case& c : cases) {
    const BudgetedText text = fit_budget(c.rows, full, c.budget, write_lines);
    CHECK(dropped(text.notice) == c.dropped);
    CHECK(text.text == "name\tkind\trange\n# truncated: " + text.notice);
    CHECK(text.tokens == estimate_tokens(text.text));
    CHECK(text.tokens > c.budget);
  }
}

TEST_CASE("budget: to say what is missing never takes more than all of it") {
  for (const std::size_t rows : {0, 1}) {
    const SymbolRows few = layered_rows(rows, rows);
    const View names{.fields = {Field::name}};
    const BudgetedText text = fit_budget(few, names, 1, write_lines);
    CHECK(text.text == write_lines(few, names, ""));
    CHECK(text.notice.empty());
  }
}

TEST_CASE("budget: a view without name, kind and range ends as these") {
  const SymbolRows rows = layered_rows(100, 1);
  for (const Field field : {Field::hover, Field::selection, Field::signature}) {
    const BudgetedText text = fit_budget(rows, View{.fields = {field}}, 80, write_lines);
    CAPTURE(text.text);
    CHECK(text.text.starts_with("name\tkind\trange\n"));
    CHECK(text.tokens <= 80);
  }
}

TEST_CASE("budget: hovers that are all empty are no loss") {
  SymbolRows rows = layered_rows(10, 1);
  rows = made_rows(tree_of(rows), {});
  const std::size_t whole = estimate_tokens(write_lines(rows, full, ""));
  CHECK(dropped(fit_budget(rows, full, whole - 20, write_lines).notice) == "selection");
  const auto costly = [](const SymbolRows& some, const View& view, std::string_view notice) {
    std::string text;
    for (int i = 0; i < 500 && view.shows(Field::hover); ++i) text += "| ";
    return text + write_lines(some, view, notice);
  };
  CHECK(dropped(fit_budget(rows, full, whole + 60, costly).notice) == "empty hovers");
}

TEST_CASE("budget: a large tree is not rendered often, and always the same") {
  const SymbolRows rows = layered_rows(1000, 8);
  std::size_t written = 0;
  const auto counting = [&](const SymbolRows& some, const View& view, std::string_view notice) {
    ++written;
    return write_lines(some, view, notice);
  };
  const BudgetedText text = fit_budget(rows, full, 1000, counting);
  CHECK(text.tokens <= 1000);
  CHECK(written < 30);
  CHECK(fit_budget(rows, full, 1000, counting).text == text.text);
}

}  // namespace budget_test
}  // namespace symbols::table
