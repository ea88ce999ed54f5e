#include "lsp/json/raw_json.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace symbols::lsp {
namespace raw_json_test {

TEST_CASE("raw JSON: a member's value") {
  struct Case {
    const char* object;
    const char* name;
    std::optional<std::string_view> value;
  };
  const Case cases[] = {
      {R"({"a":1,"b":{"a":2}})", "a", "1"},
      {R"({"a":1,"b":{"a":2}})", "b", R"({"a":2})"},
      {R"({"a":1,"b":{"c":2}})", "c", {}},
      {R"( { "a" : "x\u0041" , "b":2} , and more)", "a", R"("x\u0041")"},
      {R"({"a":1,"a":2})", "a", "2"},
      {R"({"\u0061\/":1})", "a/", "1"},
      {R"({"a\\":1})", "a\\", "1"},
      {R"({"\u00e9\ud83d\ude00":1})", "é😀", "1"},
      {R"({"":1})", "", "1"},
      {R"({"a":9007199254740993.10})", "a", "9007199254740993.10"},
      {"{}", "a", {}},
      {"[1]", "a", {}},
      {"null", "a", {}},
      {"", "a", {}},
      {R"({"a":1)", "a", {}},
      {R"({"a":1 "b":2})", "a", {}},
      {R"({"a":1,})", "a", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.object);
    CHECK(member_value(c.object, c.name) == c.value);
  }
}

TEST_CASE("raw JSON: the value at the end of a path") {
  const std::string_view object = R"({"a":{"b":{"c":[1]},"b":{"c":2}},"d":null})";
  CHECK(value_at(object, Names{"a", "b", "c"}) == "2");
  CHECK(value_at(object, Names{"a", "b"}) == R"({"c":2})");
  CHECK(value_at(object, Names{"a", "c"}) == std::nullopt);
  CHECK(value_at(object, Names{"d", "c"}) == std::nullopt);
  CHECK(value_at(object, Names{"a", "b", "c", "d"}) == std::nullopt);
}

TEST_CASE("raw JSON: each member in its order") {
  std::string seen;
  JsonMembers members(R"({"a":1, "\u0062\n" : [1, 2] ,"a":"}"}, rest)");
  while (members.next()) seen += fmt::format("{}={};", members.name(), members.value().value_or("none"));
  CHECK(members.state() == JsonMembers::State::end);
  CHECK(seen == "a=1;b\n=[1, 2];a=\"}\";");
}

// For edits: the object after an edit, or nothing where it is none.
struct Edit {
  const char* object;
  Names path;
  std::optional<std::string> after;
};

TEST_CASE("raw JSON: members removed") {
  const Edit cases[] = {
      {R"({"a":1,"b":2,"c":3})", {"a"}, R"({"b":2,"c":3})"},
      {R"({"a":1,"b":2,"c":3})", {"b", "c"}, R"({"a":1})"},
      {R"({"a":1,"b":2,"c":3})", {"a", "b", "c"}, "{}"},
      {R"({"a":1,"b":2,"a":3})", {"a"}, R"({"b":2})"},
      {R"({"\u0061":1,"b":{"a":1}})", {"a"}, R"({"b":{"a":1}})"},
      {" { \"a\" : 1 ,\n  \"b\" : 2.50 ,\n  \"c\" : 3\n}}", {"c", "x"}, R"({"a" : 1,"b" : 2.50})"},
      {R"({ "a" : 1 } })", {"x"}, R"({ "a" : 1 })"},
      {"[]", {"a"}, {}},
      {R"({"a":1 "b":2})", {"a"}, {}},
      {R"({"a":[1)", {"a"}, {}},
  };
  for (const Edit& c : cases) {
    CAPTURE(c.object);
    CHECK(without_members(c.object, c.path) == c.after);
  }
}

TEST_CASE("raw JSON: a value put at a path") {
  const Edit cases[] = {
      {R"({"a":1,"b":2})", {"a"}, R"({"a":"new","b":2})"},
      {R"({ "a" : {"x":1} , "b":2})", {"a"}, R"({ "a" : "new" , "b":2})"},
      {R"({"a":1})", {"b"}, R"({"a":1,"b":"new"})"},
      {"{\n  \"a\": 1\n}\n", {"b"}, "{\n  \"a\": 1,\"b\":\"new\"\n}\n"},
      {" {} ", {"b"}, " {\"b\":\"new\"} "},
      {"{}", {"é\"\n"}, R"({"\u00e9\"\n":"new"})"},
      {R"({"a":1,"\u0061":3})", {"a"}, R"({"a":1,"\u0061":"new"})"},  // the last one counts
      {R"({"a":{"b":{"c":1,"x":1.0}}})", {"a", "b", "c"}, R"({"a":{"b":{"c":"new","x":1.0}}})"},
      {R"({"a":{"b":{"x":1.0}}})", {"a", "b", "c"}, R"({"a":{"b":{"x":1.0,"c":"new"}}})"},
      {R"({"a":{"y":2},"z":3})", {"a", "b", "c"}, R"({"a":{"y":2,"b":{"c":"new"}},"z":3})"},
      {R"({"z":3})", {"a", "b", "c"}, R"({"z":3,"a":{"b":{"c":"new"}}})"},
      {R"({"a":null,"z":3})", {"a", "b"}, R"({"a":{"b":"new"},"z":3})"},
      {R"({"a":[{"b":1}],"z":3})", {"a", "b"}, R"({"a":{"b":"new"},"z":3})"},
      {"", {"a"}, {}},
      {"[]", {"a"}, {}},
      {R"({"a":1)", {"a"}, {}},
      {R"({"a":1,})", {"a"}, {}},
      {R"({"a":})", {"a"}, {}},
      {R"({"a":{"b" 1}})", {"a", "b"}, {}},
  };
  for (const Edit& c : cases) {
    CAPTURE(c.object);
    CHECK(with_value_at(c.object, c.path, "\"new\"") == c.after);
  }
}

TEST_CASE("raw JSON: deep nesting costs no stack") {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string object = R"({"a":)" + deep + R"(,"b":1})";
  CHECK(*with_value_at(object, {"b"}, "2") == R"({"a":)" + deep + R"(,"b":2})");
  CHECK(*without_members(object, Names{"a"}) == R"({"b":1})");
}

TEST_CASE("raw JSON: elements of an array") {
  struct Case {
    const char* array;
    std::vector<std::string> elements;
    bool whole = true;
  };
  const Case cases[] = {
      {"[]", {}},
      {" [ ] tail", {}},
      {R"([1, "a,]" ,{"b":[2,3]},[4] ]} more)", {"1", "\"a,]\"", R"({"b":[2,3]})", "[4]"}},
      {"[null]", {"null"}},
      {"", {}, false},
      {"{}", {}, false},
      {"[", {}, false},
      {"[1", {"1"}, false},
      {"[1,", {"1"}, false},
      {"[1,]", {"1"}, false},
      {"[,1]", {}, false},
      {"[1 2]", {"1"}, false},
      {R"(["a)", {}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.array);
    std::vector<std::string> seen;
    const auto count =
        for_each_element(c.array, [&](std::string_view element) { seen.emplace_back(element); });
    CHECK(seen == c.elements);
    CHECK(count.has_value() == c.whole);
    if (count) CHECK(*count == c.elements.size());
  }
}

}  // namespace raw_json_test
}  // namespace symbols::lsp
