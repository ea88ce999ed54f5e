#include "lsp/json/json_edit.h"

#include <doctest/doctest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "tests/lsp/json/generated_json.h"
#include "tests/lsp/one_spelling.h"

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
  std::vector<std::string> seen;
  const auto visit = [&](std::string_view name, std::string_view value) {
    seen.push_back(std::string(name) + "=" + std::string(value));
  };
  REQUIRE(for_each_member(R"({"a":1, "\u0062\n" : [1, 2] ,"a":"}"}, rest)", visit).has_value());
  CHECK(seen == std::vector<std::string>{"a=1", "b\n=[1, 2]", "a=\"}\""});
  seen.clear();
  REQUIRE(for_each_member(" { } ", visit).has_value());
  CHECK(seen.empty());
  const Result<void> broken = for_each_member(R"({"a":1,"b"})", visit);
  REQUIRE(broken.has_error());
  CHECK(broken.error().message == "not a JSON object: expected a colon at byte 10, found '}'");
  CHECK(seen == std::vector<std::string>{"a=1"});
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
                                        {" [ ] ", R"( [ "x",[1]] )"},
                                        {R"([[1] , "]", 1.50 ])", R"([[1] , "]", 1.50 ,"x"])"},
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
      {R"({"a":{"b" 1}})", "not a JSON object: expected a colon at byte 5, found '1}'"},
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
}

TEST_CASE("edit: deep nesting costs no stack") {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string object = R"({"a":)" + deep + R"(,"b":1})";
  CHECK(*with_value_at(object, {"b"}, "2") == R"({"a":)" + deep + R"(,"b":2})");
  CHECK(*without_members(object, Names{"a"}) == R"({"b":1})");
}

// What follows compares with RapidJSON.

rapidjson::Document parsed(std::string_view json) {
  Result<rapidjson::Document> document = parse_json(json);
  REQUIRE(document.has_value());
  return std::move(*document);
}

rapidjson::Value text_value(std::string_view text, rapidjson::Document& document) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size()), document.GetAllocator()};
}

// The last member called `name`, all others of that name erased; null if there is none.
rapidjson::Value* only(rapidjson::Value& object, std::string_view name) {
  const auto is_named = [&](const rapidjson::Value::Member& member) {
    return std::string_view(member.name.GetString(), member.name.GetStringLength()) == name;
  };
  auto left = std::count_if(object.MemberBegin(), object.MemberEnd(), is_named);
  for (auto it = object.MemberBegin(); it != object.MemberEnd();) {
    if (!is_named(*it)) {
      ++it;
    } else if (--left == 0) {
      return &it->value;
    } else {
      it = object.EraseMember(it);
    }
  }
  return nullptr;
}

TEST_CASE("edit: generated objects read back as the edit says, and all other bytes stay") {
  Dice dice(20260730);
  for (int round = 0; round < 4000; ++round) {
    const RawObject object = raw_object(dice, 3);
    const std::string& name = dice.pick(member_names());
    const std::string value = raw_value(dice, 2);
    CAPTURE(object.text);
    CAPTURE(name);
    CAPTURE(value);

    std::vector<const RawMember*> named;
    std::vector<const RawMember*> others;
    for (const RawMember& member : object.members) (member.name == name ? named : others).push_back(&member);

    // Reading.
    const auto got = member_value(object.text, name);
    REQUIRE(got.has_value() == !named.empty());
    if (got) {
      REQUIRE(got->data() == object.text.data() + named.back()->value);
      REQUIRE(got->size() == named.back()->end - named.back()->value);
    }

    // Writing.
    const Result<std::string> with = with_value_at(object.text, {name}, value);
    REQUIRE(with.has_value());
    if (named.empty()) {
      const std::size_t behind = others.empty() ? 1 : others.back()->end;
      REQUIRE(*with == object.text.substr(0, behind) + (others.empty() ? "" : ",") + json_string(name) + ":" +
                           value + object.text.substr(behind));
    } else if (named.size() == 1) {
      REQUIRE(*with == object.text.substr(0, named[0]->value) + value + object.text.substr(named[0]->end));
    }
    rapidjson::Document expected = parsed(object.text);
    rapidjson::Value new_value(parsed(value), expected.GetAllocator());
    if (rapidjson::Value* place = only(expected, name)) {
      *place = new_value;
    } else {
      expected.AddMember(text_value(name, expected), new_value, expected.GetAllocator());
    }
    REQUIRE(one_spelling(parsed(*with)) == one_spelling(expected));

    // Removing: the rest stays unchanged and in order.
    const Result<std::string> without = without_members(object.text, Names{name});
    REQUIRE(without.has_value());
    REQUIRE(parsed(*without).MemberCount() == others.size());
    std::size_t at = 0;
    for (const RawMember* other : others) {
      at = without->find(other->raw, at);
      REQUIRE(at != std::string::npos);
      at += other->raw.size();
    }
    REQUIRE(member_value(*without, name) == std::nullopt);
    if (named.empty()) REQUIRE(*without == object.text);
  }
}

TEST_CASE("edit: paths in generated objects read back as the edit says") {
  Dice dice(4711);
  std::size_t found = 0;
  for (int round = 0; round < 4000; ++round) {
    const RawObject object = raw_object(dice, 4);
    std::vector<std::string_view> path;
    // Mostly along existing members.
    std::string_view at = object.text;
    for (std::size_t n = 1 + dice.below(4); n > 0; --n) {
      std::vector<std::string> here;
      (void)for_each_member(at, [&](std::string_view name, std::string_view) { here.emplace_back(name); });
      const std::string wanted = here.empty() || dice.one_in(5) ? dice.pick(member_names()) : dice.pick(here);
      for (const std::string& name : member_names()) {
        if (name == wanted) path.push_back(name);
      }
      at = member_value(at, wanted).value_or("null");
    }
    const std::string value = raw_value(dice, 1);
    CAPTURE(object.text);
    CAPTURE(value);

    rapidjson::Document expected = parsed(object.text);
    rapidjson::Value* place = &expected;
    for (const std::string_view name : path) {
      if (!place->IsObject()) place->SetObject();
      rapidjson::Value* next = only(*place, name);
      if (next == nullptr) {
        place->AddMember(text_value(name, expected), rapidjson::Value(), expected.GetAllocator());
        next = only(*place, name);
      }
      place = next;
    }
    place->CopyFrom(parsed(value), expected.GetAllocator());
    const Result<std::string> with = with_value_at(object.text, path, value);
    REQUIRE(with.has_value());
    REQUIRE(one_spelling(parsed(*with)) == one_spelling(expected));
    REQUIRE(value_at(*with, path) == value);

    const bool there = value_at(object.text, path).has_value();
    found += there;
    const Result<std::string> without = without_value_at(object.text, path);
    REQUIRE(without.has_value());
    REQUIRE(value_at(*without, path) == std::nullopt);
    if (!there) {
      REQUIRE(*without == object.text);
    } else {
      rapidjson::Document left = parsed(object.text);
      rapidjson::Value* holder = &left;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) holder = only(*holder, path[i]);
      (void)only(*holder, path.back());
      holder->EraseMember(text_value(path.back(), left));
      REQUIRE(one_spelling(parsed(*without)) == one_spelling(left));
    }
  }
  CHECK(found > 800);
}

}  // namespace
}  // namespace symbols::lsp
