#include "lsp/json/raw_json.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

using Names = std::vector<std::string_view>;

TEST_CASE("edit: a member's raw value") {
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

TEST_CASE("edit: the value at the end of a path") {
  const std::string_view object = R"({"a":{"b":{"c":[1]},"b":{"c":2}},"d":null})";
  CHECK(value_at(object, Names{"a", "b", "c"}) == "2");
  CHECK(value_at(object, Names{"a", "b"}) == R"({"c":2})");
  CHECK(value_at(object, Names{"a", "c"}) == std::nullopt);
  CHECK(value_at(object, Names{"d", "c"}) == std::nullopt);
  CHECK(value_at(object, Names{"a", "b", "c", "d"}) == std::nullopt);
}

TEST_CASE("edit: each member in its order") {
  std::string seen;
  const auto read = [&](std::string_view object) {
    seen.clear();
    JsonMembers members(object);
    while (members.next()) seen += fmt::format("{}={};", members.name(), members.value().value_or("none"));
    return members.state() == JsonMembers::State::end ? "" : members.fault();
  };
  CHECK(read(R"({"a":1, "\u0062\n" : [1, 2] ,"a":"}"}, rest)") == "");
  CHECK(seen == "a=1;b\n=[1, 2];a=\"}\";");
  CHECK(read(" { } ") == "");
  CHECK(seen.empty());
  CHECK(read(R"({"a":1,"b"})") == "expected a colon at byte 10, found '}'");
  CHECK(seen == "a=1;");
}

TEST_CASE("edit: members removed with their commas") {
  struct Case {
    const char* object;
    Names names;
    const char* without;
  };
  const Case cases[] = {
      {R"({"a":1,"b":2,"c":3})", {"a"}, R"({"b":2,"c":3})"},
      {R"({"a":1,"b":2,"c":3})", {"b"}, R"({"a":1,"c":3})"},
      {R"({"a":1,"b":2,"c":3})", {"c"}, R"({"a":1,"b":2})"},
      {R"({"a":1,"b":2,"c":3})", {"a", "c"}, R"({"b":2})"},
      {R"({"a":1,"b":2,"c":3})", {"b", "c"}, R"({"a":1})"},
      {R"({"a":1,"b":2,"c":3})", {"a", "b", "c"}, "{}"},
      {R"({"a":1,"b":2,"c":3})", {"d"}, R"({"a":1,"b":2,"c":3})"},
      {R"({"a":1,"b":2,"a":3})", {"a"}, R"({"b":2})"},
      {R"({"\u0061":1,"b":{"a":1}})", {"a"}, R"({"b":{"a":1}})"},
      {" { \"a\" : 1 ,\n  \"b\" : 2 ,\n  \"c\" : 3\n} ", {"b"}, " { \"a\" : 1 ,\n  \"c\" : 3\n} "},
      {" { \"a\" : 1 ,\n  \"b\" : 2\n} ", {"b"}, " { \"a\" : 1\n} "},
      {" { \"a\" : 1 } ", {"a"}, " {  } "},
      {"{}", {"a"}, "{}"},
      {R"({"a":1})", {}, R"({"a":1})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.object);
    const Result<std::string> without = without_members(c.object, c.names);
    REQUIRE(without.has_value());
    CHECK(*without == c.without);
  }
}

TEST_CASE("edit: a value put at a path") {
  struct Case {
    const char* object;
    Names path;
    const char* with;
  };
  const Case cases[] = {
      {R"({"a":1,"b":2})", {"a"}, R"({"a":"new","b":2})"},
      {R"({ "a" : {"x":1} , "b":2})", {"a"}, R"({ "a" : "new" , "b":2})"},
      {R"({"a":1})", {"b"}, R"({"a":1,"b":"new"})"},
      {"{\n  \"a\": 1\n}\n", {"b"}, "{\n  \"a\": 1,\"b\":\"new\"\n}\n"},
      {" {} ", {"b"}, " {\"b\":\"new\"} "},
      {"{}", {"é\"\n"}, R"({"\u00e9\"\n":"new"})"},
      {R"({"a":1,"b":2,"a":3,"c":4})", {"a"}, R"({"b":2,"a":"new","c":4})"},
      {R"({"a":1,"\u0061":3})", {"a"}, R"({"\u0061":"new"})"},
      {R"({"a":{"b":{"c":1,"x":1.0}}})", {"a", "b", "c"}, R"({"a":{"b":{"c":"new","x":1.0}}})"},
      {R"({"a":{"b":{"x":1.0}}})", {"a", "b", "c"}, R"({"a":{"b":{"x":1.0,"c":"new"}}})"},
      {R"({"a":{"y":2},"z":3})", {"a", "b", "c"}, R"({"a":{"y":2,"b":{"c":"new"}},"z":3})"},
      {R"({"z":3})", {"a", "b", "c"}, R"({"z":3,"a":{"b":{"c":"new"}}})"},
      {"{}", {"a", "b"}, R"({"a":{"b":"new"}})"},
      {R"({"a":null,"z":3})", {"a", "b"}, R"({"a":{"b":"new"},"z":3})"},
      {R"({"a":[{"b":1}],"z":3})", {"a", "b"}, R"({"a":{"b":"new"},"z":3})"},
      {R"({"a":{"b":1},"a":{"c":2},"z":3})", {"a", "b"}, R"({"a":{"c":2,"b":"new"},"z":3})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.object);
    const Result<std::string> with = with_value_at(c.object, c.path, "\"new\"");
    REQUIRE(with.has_value());
    CHECK(*with == c.with);
  }
}

TEST_CASE("edit: a value removed from a path") {
  struct Case {
    const char* object;
    Names path;
    const char* without;
  };
  const Case cases[] = {
      {R"({"a":1,"b":2})", {"a"}, R"({"b":2})"},
      {R"({"a":{"b":1,"c":2},"z":3})", {"a", "b"}, R"({"a":{"c":2},"z":3})"},
      {R"({"a":{"b":1},"z":3})", {"a", "b"}, R"({"a":{},"z":3})"},
      {R"({"a":{"b":1,"b":2},"a":{"b":3,"c":4,"b":5}})", {"a", "b"}, R"({"a":{"c":4}})"},
      {R"({"a":{"c":2},"z":3})", {"a", "b"}, R"({"a":{"c":2},"z":3})"},
      {R"({"a":null})", {"a", "b"}, R"({"a":null})"},
      {R"({"a":[]})", {"a", "b"}, R"({"a":[]})"},
      {R"({"z":3})", {"a", "b"}, R"({"z":3})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.object);
    const Result<std::string> without = without_value_at(c.object, c.path);
    REQUIRE(without.has_value());
    CHECK(*without == c.without);
  }
}

TEST_CASE("edit: elements appended to an array") {
  const std::vector<std::string> values = {R"("x")", "[1]", R"("x")"};
  for (const auto& [array, expected] : {std::pair{"[]", R"(["x",[1]])"},
                                        {" [ ] ", R"(["x",[1]])"},
                                        {R"([[1] , "]", 1.50 ])", R"([[1],"]",1.50,"x"])"},
                                        {R"(["x","[1]"])", R"(["x","[1]",[1]])"},
                                        {R"(["x",[1]])", R"(["x",[1]])"},
                                        {"null", R"(["x",[1]])"},
                                        {"[1", R"(["x",[1]])"},
                                        {"", R"(["x",[1]])"}}) {
    const auto& array_shown = array;  // which clang 14 can capture
    CAPTURE(array_shown);
    CHECK(with_elements(array, values) == expected);
  }
}

TEST_CASE("edit: anything but an object is an error that says where") {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"", "not a JSON object: expected an object at byte 0, found ''"},
      {"[]", "not a JSON object: expected an object at byte 0, found '[]'"},
      {R"({"a":1)", "not a JSON object: expected a comma or the object's end at byte 6, found ''"},
      {R"({"a":[1)", "not a JSON object: expected the value's end at byte 7, found ''"},
      {R"({"a":1}})", "not a JSON object: expected nothing after it at byte 7, found '}'"},
      {R"({"a":1} null)", "not a JSON object: expected nothing after it at byte 8, found 'null'"},
      {R"({"a":1,})", "not a JSON object: expected a member's name at byte 7, found '}'"},
      {R"({"a":})", "not a JSON object: expected a value at byte 5, found '}'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Names path{"a", "b"};
    const Result<std::string> with = with_value_at(c.text, path, "1");
    REQUIRE(with.has_error());
    CHECK(with.error().message == c.error);
    const Result<std::string> without = without_value_at(c.text, path);
    REQUIRE(without.has_error());
    CHECK(without.error().message == c.error);
  }
  CHECK(with_value_at(R"({"a":{"b" 1}})", Names{"a", "b"}, "1").error().message ==
        "not a JSON object: expected a colon at byte 5, found '1}'");
}

TEST_CASE("edit: deep nesting costs no stack") {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string object = R"({"a":)" + deep + R"(,"b":1})";
  CHECK(*with_value_at(object, {"b"}, "2") == R"({"a":)" + deep + R"(,"b":2})");
  CHECK(*without_members(object, Names{"a"}) == R"({"b":1})");
}

TEST_CASE("elements of an array") {
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

}  // namespace
}  // namespace symbols::lsp
