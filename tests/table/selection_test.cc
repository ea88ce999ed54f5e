#include "table/selection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/growth.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace selection_test {

lsp::DocumentSymbol made(std::string name, std::int64_t kind, std::int32_t parent, std::uint32_t line = 0) {
  return symbol(std::move(name), kind, {{line, 0}, {line + 1, 0}}, {{line, 4}, {line, 5}}, parent);
}

Selection selection(const std::string& kinds, const std::string& match, Levels levels,
                    const std::string& sort) {
  Selection selection;
  const auto parsed_kinds = parse_kinds("filter_kind", split_list(kinds));
  REQUIRE(error_of(parsed_kinds) == "");
  selection.kinds = *parsed_kinds;
  if (!match.empty()) {
    const auto pattern = parse_match("match", match);
    REQUIRE(error_of(pattern) == "");
    selection.match = *pattern;
  }
  selection.levels = levels;
  const auto keys = parse_sort("sort_by", split_list(sort));
  REQUIRE(error_of(keys) == "");
  selection.sort = *keys;
  return selection;
}

constexpr Levels all{Levels::Rule::all, 0};
constexpr Levels top{Levels::Rule::top_level, 0};
constexpr Levels two{Levels::Rule::count, 2};

// An outline: `0 1(2 3)`, by the original indices.
std::string outline(const SymbolRows& rows) {
  const std::vector<std::uint32_t> depths = row_depths(rows);
  std::string text;
  std::uint32_t open = 0;
  for (std::size_t row = 0; row < depths.size(); ++row) {
    if (depths[row] > open) text += '(';
    for (; open > depths[row]; --open) text += ')';
    open = depths[row];
    if (!text.empty() && text.back() != '(') text += ' ';
    text += rows.all[row].hover;
  }
  return text + std::string(open, ')');
}

TEST_CASE("select: filters, levels and order") {
  // 0 B class: 1 z method: 2 local variable, 3 a method; 4 f function; 5 A class: 6 a field, 7 z method
  const lsp::SymbolTree tree{{made("B", 5, -1, 10), made("z", 6, 0, 11), made("local", 13, 1, 12),
                              made("a", 6, 0, 13), made("f", 12, -1, 5), made("A", 5, -1, 20),
                              made("a", 8, 5, 21), made("z", 6, 5, 22)}};
  struct Case {
    std::string kinds;
    std::string match;
    Levels levels;
    std::string sort;
    std::string outline;
  };
  const std::vector<Case> cases{
      {"", "", all, "", "0(1(2) 3) 4 5(6 7)"},
      {"", "", top, "", "0 4 5"},
      {"", "", two, "", "0(1 3) 4 5(6 7)"},
      // A match keeps its ancestors, and not what is below it.
      {"class", "", all, "", "0 5"},
      {"Variable", "", all, "", "0(1(2))"},
      {"6", "", all, "", "0(1 3) 5(7)"},
      {"method,FIELD", "", all, "", "0(1 3) 5(6 7)"},
      {"255", "", all, "", ""},
      {"", "^z$", all, "", "0(1) 5(7)"},
      {"", "a", all, "", "0(1(2) 3) 5(6)"},
      {"", "(?i)a", all, "", "0(1(2) 3) 5(6)"},
      {"", "nothing", all, "", ""},
      {"method", "^a", all, "", "0(3)"},
      // Levels are counted after the filter, from the top of the tree.
      {"variable", "", two, "", "0(1)"},
      {"variable", "", top, "", "0"},
      {"", "", all, "name", "5(6 7) 0(3 1(2)) 4"},
      {"", "", all, "-name", "4 0(1(2) 3) 5(7 6)"},
      {"", "", all, "+name", "5(6 7) 0(3 1(2)) 4"},
      {"", "", all, "kind,name", "5(7 6) 0(3 1(2)) 4"},
      {"", "", all, "kind,-name", "0(1(2) 3) 5(7 6) 4"},
      {"", "", all, "range", "4 0(1(2) 3) 5(6 7)"},
      {"", "", all, "-lines", "5(7 6) 0(3 1(2)) 4"},
      {"", "", all, "selection", "4 0(1(2) 3) 5(6 7)"},
      {"", "", all, "-children", "0(1(2) 3) 5(6 7) 4"},
      {"", "", all, "children", "4 0(3 1(2)) 5(6 7)"},
      // Where all is equal, the server's order stays.
      {"", "", all, "depth,parent,tags,detail", "0(1(2) 3) 4 5(6 7)"},
      {"", "", all, "-depth", "0(1(2) 3) 4 5(6 7)"},
      // Children are counted as they are kept.
      {"method", "", all, "children", "5(7) 0(1 3)"},
      {"", "", top, "children", "4 0 5"},
      {"method", "", two, "-range", "5(7) 0(3 1)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.kinds);
    CAPTURE(c.match);
    CAPTURE(c.sort);
    CHECK(outline(select(numbered(tree), selection(c.kinds, c.match, c.levels, c.sort))) == c.outline);
  }
}

TEST_CASE("select: auto counts what the filter keeps") {
  lsp::SymbolTree tree{{made("outer", 5, -1)}};
  for (int i = 0; i < 150; ++i) tree.symbols.push_back(made(i < 50 ? "few" : "many", 6, 0));
  const Levels automatic{Levels::Rule::automatic, 0};
  CHECK(select(tree, selection("", "", automatic, "")).size() == 1);
  CHECK(select(tree, selection("", "few", automatic, "")).size() == 51);
}

TEST_CASE("select: depth and width cost neither stack nor quadratic time") {
  CHECK(grows_linearly(50000, [](std::size_t size) {
    lsp::SymbolTree deep;
    lsp::SymbolTree wide;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(size); ++i) {
      deep.symbols.push_back(made("n", 5, i - 1));
      wide.symbols.push_back(made(std::to_string(std::int64_t{i} * 7919 % 200003), 5, -1));
    }
    const Selection by_name = selection("class", "", all, "-name");
    CHECK(select(deep, by_name).size() == size);
    const SymbolRows sorted = select(wide, by_name);
    CHECK(std::is_sorted(sorted.all.begin(), sorted.all.end(),
                         [](const auto& one, const auto& other) { return one.name > other.name; }));
  }));
}

TEST_CASE("match: RE2's syntax, found anywhere, in linear time; an invalid expression is refused") {
  struct Case {
    std::string pattern;
    std::string name;
    bool matches;
  };
  const Case cases[] = {{"", "", true},         {"b", "abc", true},
                        {"^b", "abc", false},   {"^.$", "é", true},
                        {"a.b", "a\nb", false}, {"(a*)*b", std::string(20000, 'a'), false}};
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    const auto pattern = parse_match("match", c.pattern);
    REQUIRE(error_of(pattern) == "");
    CHECK(select(lsp::SymbolTree{{made(c.name, 5, -1)}}, {.match = *pattern}).size() == (c.matches ? 1 : 0));
  }
  const std::pair<std::string, std::string> errors[] = {
      {"a(", "\"a(\": missing ): a("},
      {"\x1b[", "\"\\x1B[\": missing ]: ["},
      {"((\\pL{100}){10})", "\"((\\\\pL{100}){10})\": pattern too large - compile failed"},
      {"\xff", "\"\xef\xbf\xbd\": invalid UTF-8"}};
  for (const auto& [pattern, error] : errors) {
    CHECK(error_of(parse_match("match", pattern)) ==
          "match cannot be " + error + "; give a regular expression in RE2's syntax");
  }
}

TEST_CASE("filter_kind: words and numbers") {
  const auto kinds = parse_kinds("--kind", {"class", "Method", "12", "-1", "ENUMMEMBER"});
  REQUIRE(error_of(kinds) == "");
  CHECK(*kinds == std::vector<std::int64_t>{5, 6, 12, -1, 22});
  for (const std::string word : {"", "klass", "5x", " class", "5.0"}) {
    CAPTURE(word);
    CHECK(error_of(parse_kinds("--kind", {"class", word})) ==
          "--kind cannot be \"" + word +
              "\"; give numbers or words: File Module Namespace Package Class Method Property Field "
              "Constructor Enum Interface Function Variable Constant String Number Boolean Array Object Key "
              "Null EnumMember Struct Event Operator TypeParameter");
  }
}

TEST_CASE("sort_by: names, and what is refused") {
  const auto keys = parse_sort("sort_by", {"name", "-range", "+children"});
  REQUIRE(error_of(keys) == "");
  CHECK(*keys == std::vector<SortKey>{{Field::name, false}, {Field::range, true}, {Field::children, false}});
  const std::string allowed =
      "; give name kind range selection parent detail lines depth children tags, each with - before it for "
      "descending order or +";
  for (const std::string word : {"", "-", "--name", "Name", "names", " name"}) {
    CAPTURE(word);
    CHECK(error_of(parse_sort("sort_by", {"name", word})) == "sort_by cannot be \"" + word + "\"" + allowed);
  }
  for (const std::string word : {"hover", "-signature", "+doc"}) {
    CAPTURE(word);
    CHECK(error_of(parse_sort("sort_by", {word})) ==
          "sort_by cannot be \"" + word +
              "\", which is taken from the hover: rows are sorted before hovers arrive" + allowed);
  }
}

TEST_CASE("lists as one text") {
  using Words = std::vector<std::string>;
  CHECK(split_list("").empty());
  CHECK(split_list(" \t").empty());
  CHECK(split_list("a") == Words{"a"});
  CHECK(split_list(" a , b c,d ") == Words{"a", "b c", "d"});
  CHECK(split_list("a,,b,") == Words{"a", "", "b", ""});
  CHECK(split_list(",") == Words{"", ""});
}

}  // namespace selection_test
}  // namespace symbols::table
