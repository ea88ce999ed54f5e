#include "lsp/json/json.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "lsp/unicode.h"

namespace json_test {
using namespace symbols::lsp;

TEST_CASE("strings are written as pure ASCII") {
  const std::pair<std::string, const char*> cases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"a\"b\\c/", R"("a\"b\\c/")"},
      {"\n\r\t\b\x01\x7F", R"("\n\r\t\u0008\u0001\u007f")"},
      {"\xC3\xA9", R"("\u00e9")"},
      {"\xF0\x9F\x98\x80!", R"("\ud83d\ude00!")"},
      {std::string("\0", 1), R"("\u0000")"},
      {"\xFFz", R"("\ufffdz")"},
      {"\xED\xA0\xBD", R"("\ufffd\ufffd\ufffd")"},  // a surrogate in UTF-8 is three invalid bytes
  };
  for (const auto& [text, json] : cases) CHECK(json_string(text) == json);
}

TEST_CASE("lone surrogates are mended, pairs and escaped backslashes left alone") {
  const std::pair<const char*, const char*> cases[] = {
      {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
      {R"("\ud83d")", R"("\ufffd")"},
      {R"("\uDE00x")", R"("\ufffdx")"},
      {R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")"},
      {R"("\ud83dA")", R"("\ufffdA")"},
      {R"("\\ud83d")", R"("\\ud83d")"},
      {R"("\\\ud83d")", R"("\\\ufffd")"},
      {R"("\u00e9\n")", R"("\u00e9\n")"},
      {R"("\ud8)", R"("\ud8)"},
      {R"(\)", R"(\)"},
      {"", ""},
  };
  for (const auto& [json, mended] : cases) {
    std::string storage;
    CHECK(mend_lone_surrogates(json, storage) == mended);
  }
}

TEST_CASE("escapes of a string are read") {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"plain é", "plain é"},
      {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
      {R"(a\u0041\u00e9\u20AC\ud83d\ude00z)", "aA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"},
      {R"(\\u0041)", "\\u0041"},
      {R"(\ud83dx)", "\xEF\xBF\xBDx"},
      {R"(\ud83d\ud83d\ude00)", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
      {R"(\ude00\ud83d)", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {R"(\ud83d\u0041)", "\uFFFDA"},
      // Invalid escapes.
      {R"(\x41\u00g0\u12)", R"(\x41\u00g0\u12)"},
  };
  for (const auto& [raw, text] : cases) {
    CAPTURE(raw);
    CHECK(json_string_text('"' + std::string(raw) + '"') == text);
  }
  for (const char* const other : {"", "1", "\"a", R"("a\")", R"("a"b)"}) CHECK(!json_string_text(other));
}

TEST_CASE("a value is skipped by its nesting and strings") {
  const std::size_t npos = std::string_view::npos;
  const std::pair<const char*, std::size_t> cases[] = {
      {"1,2", 1},     {"true}", 4},   {"\"a\\\"]\" ,", 6}, {"[1,[2]],3", 7},  {" {\"a\":\"}\"}x", 10},
      {"[1,2", npos}, {"\"ab", npos}, {"\"a\\", npos},     {"", npos},        {"}", 0},
      {",", 0},       {"-1.5e3]", 6}, {"{}", 2},           {R"("a\\" ")", 5},
  };
  for (const auto& [json, length] : cases) {
    CAPTURE(json);
    CHECK(skip_json_value(json) == length);
  }
}

TEST_CASE("what is one string or one number") {
  for (const char* text : {"0", "-0", "10", "-7", "1.5", "0.0", "1e5", "1E+5", "2.25e-10", "9007199254740993",
                           R"("")", R"("a")", R"("\"\\\/\b\f\n\r\t")", R"("\u00fc\ud83d")", "\"\xFF\x7F\""}) {
    CAPTURE(text);
    CHECK(is_json_string_or_number(text));
  }
  for (const char* text :
       {"",         "-",       "+1",      "01",        "-01",         "1.",     ".5",       "1.e5",
        "1e",       "1e+",     "1e5.",    "1 ",        " 1",          "1a",     "0x1",      "2\x04",
        "NaN",      "null",    "true",    "{}",        "[]",          "\"",     "\"a",      "a\"",
        R"("a"b")", R"("a" )", R"("\x")", R"("\u12")", R"("\u12g4")", R"("\")", "\"\x1F\"", "\"a\nb\""}) {
    CAPTURE(text);
    CHECK_FALSE(is_json_string_or_number(text));
  }
  CHECK_FALSE(is_json_string_or_number(std::string_view("\"\0\"", 3)));
}

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
  std::string text(40, '\x7F');
  CHECK(find_non_ascii(text) == std::string_view::npos);
  for (std::size_t at = text.size(); at-- > 0;) {
    text[at] = '\x80';
    CHECK(find_non_ascii(text) == at);
  }
}

}  // namespace json_test
