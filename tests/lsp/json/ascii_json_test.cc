#include <doctest/doctest.h>

#include <string>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/unicode.h"
#include "tests/lsp/json/generated_json.h"
#include "tests/lsp/one_spelling.h"

namespace symbols::lsp {
namespace {

TEST_CASE("ascii: characters become escapes, everything else is kept") {
  struct Case {
    std::string json;
    const char* ascii;
  };
  const Case cases[] = {
      {"", ""},
      {R"({"a" : "b\n\u00e9"})", R"({"a" : "b\n\u00e9"})"},
      {R"("é")", R"("\u00e9")"},
      {R"({"é":["x€y",1.0]})", R"({"\u00e9":["x\u20acy",1.0]})"},
      {R"("😀é")", R"("\ud83d\ude00\u00e9")"},
      {R"("\\é\"é")", R"("\\\u00e9\"\u00e9")"},
      {"\"\x7F\"", "\"\x7F\""},
      {"\"\xFF\xC3\"", R"("\ufffd\ufffd")"},
      {"\"\xED\xA0\xBD\"", R"("\ufffd\ufffd\ufffd")"},
      {"\xEF\xBB\xBF{}", R"(\ufeff{})"},
      {"\xC3\xA9", R"(\u00e9)"},
      {std::string(200, 'a') + "é" + std::string(200, 'b') + "é", nullptr},
  };
  for (const Case& c : cases) {
    std::string storage = "before";
    const std::string_view ascii = ascii_json(c.json, storage);
    CHECK(ascii == (c.ascii != nullptr
                        ? c.ascii
                        : std::string(200, 'a') + R"(\u00e9)" + std::string(200, 'b') + R"(\u00e9)"));
  }
}

TEST_CASE("ascii: a text that is ASCII already is not copied") {
  const std::string json(1000, ' ');
  std::string storage;
  CHECK(ascii_json(json, storage).data() == json.data());
  CHECK(storage.capacity() == std::string().capacity());
}

TEST_CASE("ascii: the first non-ASCII byte is found anywhere") {
  for (std::size_t size = 0; size < 200; ++size) {
    std::string text(size, '\x7F');
    CHECK(find_non_ascii(text) == std::string_view::npos);
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = '\x80';
      if (at + 1 < size) text[at + 1] = '\xFF';
      REQUIRE(find_non_ascii(text) == at);
      text[at] = '\x7F';
      if (at + 1 < size) text[at + 1] = '\x7F';
    }
  }
}

TEST_CASE("ascii: generated JSON reads back as the same value") {
  Dice dice(99);
  std::size_t changed = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string json = raw_object(dice, 4).text;
    CAPTURE(json);
    std::string storage;
    const std::string_view ascii = ascii_json(json, storage);
    REQUIRE(find_non_ascii(ascii) == std::string_view::npos);
    changed += ascii != json;
    const Result<rapidjson::Document> before = parse_json(json);
    const Result<rapidjson::Document> after = parse_json(ascii);
    REQUIRE(before.has_value());
    REQUIRE(after.has_value());
    REQUIRE(one_spelling(*before) == one_spelling(*after));
  }
  CHECK(changed > 1000);
}

}  // namespace
}  // namespace symbols::lsp
