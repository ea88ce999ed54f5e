#include "proxy/servers/known_servers.h"

#include <doctest/doctest.h>

namespace symbols::servers {
namespace {

TEST_CASE("one JSON object laid over another") {
  struct Case {
    const char* base;
    const char* over;
    const char* result;
  };
  const Case cases[] = {
      {"", "", ""},
      {R"({"a":1})", "", R"({"a":1})"},
      {"", R"({"a":1})", R"({"a":1})"},
      {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
      {R"({"a":1})", R"({"a":2})", R"({"a":2})"},
      {R"({"a":{"b":1,"c":{"d":1}}})", R"({"a":{"c":{"e":2},"f":3}})",
       R"({"a":{"b":1,"c":{"d":1,"e":2},"f":3}})"},
      {R"({"a":{"b":1}})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"({"a":[1]})", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
      {R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
      // Of several of one name the last one counts.
      {R"({"a":{"b":1,"c":1}})", R"({"a":{"b":2},"a":{"b":3}})", R"({"a":{"b":3,"c":1}})"},
      {R"({"a":1})", "null", R"({"a":1})"},
      {"[]", R"({"a":1})", R"({"a":1})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.base);
    CAPTURE(c.over);
    CHECK(overlay_json(c.base, c.over) == c.result);
  }
}

}  // namespace
}  // namespace symbols::servers
