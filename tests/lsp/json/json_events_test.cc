#include "lsp/json/json_events.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lsp/json/compact_range.h"
#include "tests/dice.h"

namespace symbols::lsp {
namespace {

// Records the events, and stops at the string "stop".
struct Record {
  std::string log;

  bool add(std::string_view event) {
    log += event;
    log += '\n';
    return true;
  }
  bool null() { return add("null"); }
  bool boolean(bool value) { return add(value ? "true" : "false"); }
  bool integer(std::int64_t value) { return add(fmt::format("integer {}", value)); }
  bool fraction(double value) { return add(fmt::format("fraction {:.9g}", value)); }
  bool string(std::string_view text) { return add(fmt::format("string {}", text)) && text != "stop"; }
  bool key(std::string_view text) { return add(fmt::format("key {}", text)); }
  std::size_t read_object(std::string_view rest) {
    Range range;
    const std::size_t length = read_compact_range(rest, range);
    if (length > 0) add("range");
    return length;
  }
  bool start_object() { return add("{"); }
  bool end_object() { return add("}"); }
  bool start_array() { return add("["); }
  bool end_array() { return add("]"); }
};

// Reads no object by itself.
struct FullRecord : Record {
  std::size_t read_object(std::string_view) { return 0; }
};

// RapidJSON's events in the same form.
struct RapidRecord : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, RapidRecord> {
  FullRecord record;

  bool Null() { return record.null(); }
  bool Bool(bool value) { return record.boolean(value); }
  bool Int(int value) { return record.integer(value); }
  bool Uint(unsigned value) { return record.integer(value); }
  bool Int64(std::int64_t value) { return record.integer(value); }
  bool Uint64(std::uint64_t value) {
    return record.integer(
        static_cast<std::int64_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max())));
  }
  bool Double(double value) { return record.fraction(value); }
  bool String(const char* text, rapidjson::SizeType length, bool) { return record.string({text, length}); }
  bool Key(const char* text, rapidjson::SizeType length, bool) { return record.key({text, length}); }
  bool StartObject() { return record.start_object(); }
  bool EndObject(rapidjson::SizeType) { return record.end_object(); }
  bool StartArray() { return record.start_array(); }
  bool EndArray(rapidjson::SizeType) { return record.end_array(); }
};

// The events, or "refused".
std::string events(std::string_view json) {
  FullRecord record;
  return JsonEvents(json, record).read() ? "refused" : record.log;
}

std::string events_of_rapidjson(std::string_view json) {
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  rapidjson::Reader reader;
  RapidRecord handler;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag;
  return reader.Parse<flags>(stream, handler).IsError() ? "refused" : handler.record.log;
}

TEST_CASE("JSON events: values of every kind, as RapidJSON reads them") {
  const char* const cases[] = {"null",
                               "true",
                               "false",
                               " \t\r\n1 ",
                               "0",
                               "-0",
                               "-1",
                               "12.5",
                               "1e2",
                               "1E+2",
                               "-1.5e-3",
                               "0.0",
                               "0e0",
                               "2147483648",
                               "4294967295",
                               "-2147483649",
                               "9223372036854775807",
                               "9223372036854775808",
                               "-9223372036854775808",
                               "-9223372036854775809",
                               "18446744073709551615",
                               "18446744073709551616",
                               "123456789012345678",
                               "1234567890123456789",
                               "\"\"",
                               "\"abc\"",
                               "\"abcdefgh\"",
                               "\"abcdefghi\\n\"",
                               "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00\"",
                               "\"\\ud83d\"",
                               "\"é😀\"",
                               "\"\xff\"",
                               "[]",
                               "{}",
                               "[ ]",
                               "{ }",
                               "[1,2]",
                               "[ 1 , 2 ]",
                               "{\"a\":1}",
                               "{ \"a\" : [ {} , [] ] , \"b\" : null }",
                               "[[[]]]",
                               "[{\"a\":{\"b\":[1,{\"c\":\"d\"}]}}] more",
                               "1 2",
                               "01",
                               "1x",
                               "nullx"};
  for (const char* const json : cases) {
    CAPTURE(json);
    CHECK(events(json) != "refused");
    CHECK(events(json) == events_of_rapidjson(json));
  }
  CHECK(events("[1,{\"a\\n\":\"b\"}]") == "[\ninteger 1\n{\nkey a\n\nstring b\n}\n]\n");
}

TEST_CASE("JSON events: what is not JSON is refused, with the place") {
  struct Case {
    std::string json;
    std::size_t offset;
    const char* message;
  };
  const Case cases[] = {
      {"", 0, "The document is empty."},
      {"  ", 2, "The document is empty."},
      {"nul", 0, "Invalid value."},
      {"]", 0, "Invalid value."},
      {"-", 1, "Invalid value."},
      {"+1", 0, "Invalid value."},
      {".5", 0, "Invalid value."},
      {"1.", 2, "Miss fraction part in number."},
      {"1e", 2, "Miss exponent in number."},
      {"1e+", 3, "Miss exponent in number."},
      {"[01]", 2, "Missing a comma or ']' after an array element."},
      {"[1", 2, "Missing a comma or ']' after an array element."},
      {"[1,", 3, "Invalid value."},
      {"[1,]", 3, "Invalid value."},
      {"[1}", 2, "Missing a comma or ']' after an array element."},
      {"{", 1, "Missing a name for object member."},
      {"{1:2}", 1, "Missing a name for object member."},
      {"{\"a\"}", 4, "Missing a colon after a name of object member."},
      {"{\"a\":}", 5, "Invalid value."},
      {"{\"a\":1", 6, "Missing a comma or '}' after an object member."},
      {"{\"a\":1]", 6, "Missing a comma or '}' after an object member."},
      {"{\"a\":1,}", 7, "Missing a name for object member."},
      {"\"abc", 4, "Missing a closing quotation mark in string."},
      {"\"\\", 1, "Invalid escape character in string."},
      {"\"\\q\"", 1, "Invalid escape character in string."},
      {"\"\\u12g4\"", 1, "Incorrect hex digit after \\u escape in string."},
      {"\"\\u12", 1, "Incorrect hex digit after \\u escape in string."},
      {"\"a\nb\"", 2, "Invalid escape character in string."},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    FullRecord record;
    const std::optional<JsonFault> fault = JsonEvents(c.json, record).read();
    REQUIRE(fault.has_value());
    CHECK(fault->offset == c.offset);
    CHECK(std::string(fault->message) == c.message);
    CHECK(events_of_rapidjson(c.json) == "refused");
  }
}

TEST_CASE("JSON events: a handler that stops learns where") {
  Record record;
  const std::string json = "[1, \"stop\", 2]";
  const std::optional<JsonFault> fault = JsonEvents(json, record).read();
  REQUIRE(fault.has_value());
  CHECK(fault->offset == 4);
  CHECK(fault->message == nullptr);
}

// All recorded documentSymbol replies, cut to a size that a test can read many times.
std::vector<std::string> replies() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FIXTURES_DIR "/captures")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    found.push_back(std::move(text).str());
  }
  REQUIRE(found.size() > 20);
  return found;
}

TEST_CASE("JSON events: every recorded message, as RapidJSON reads it") {
  for (const std::string& json : replies()) {
    const bool same = events(json) == events_of_rapidjson(json);
    CHECK(same);
  }
}

TEST_CASE("JSON events: damaged messages are refused where RapidJSON refuses them, else the same") {
  const std::vector<std::string> whole = replies();
  const std::string pieces[] = {"\"",
                                "\\",
                                "\\u",
                                "\\ud83d",
                                "{",
                                "}",
                                "[",
                                "]",
                                ",",
                                ":",
                                " ",
                                "\n",
                                "0",
                                "-",
                                ".",
                                "e5",
                                "null",
                                "tru",
                                "\x01",
                                "\xff",
                                std::string(1, '\0'),
                                "12345678901234567890"};
  Dice dice(41);
  std::size_t refused = 0;
  std::size_t read = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::string& json = dice.pick(whole);
    std::string text = json.substr(0, 100 + dice.below(500));
    if (dice.one_in(2)) text = "[" + text.substr(text.find('{'));
    // Closed again if possible: else everything would be refused for its end.
    const std::size_t end = text.rfind('}');
    if (end != std::string::npos && dice.one_in(2)) text = text.substr(0, end + 1) + "]";
    for (std::size_t edits = dice.below(3); edits > 0; --edits) {
      const std::size_t at = dice.below(text.size() + 1);
      if (dice.one_in(2))
        text.insert(at, dice.pick(pieces));
      else
        text.erase(at, 1 + dice.below(3));
    }
    CAPTURE(text);
    const std::string ours = events(text);
    const bool same = ours == events_of_rapidjson(text);
    REQUIRE(same);
    ++(ours == "refused" ? refused : read);
  }
  CHECK(refused > 1000);
  CHECK(read > 1000);
}

TEST_CASE("compact range: what servers write, and nothing else") {
  struct Case {
    std::string json;
    std::size_t length;
  };
  const std::string usual = R"({"start":{"line":1,"character":22},"end":{"line":333,"character":4}})";
  const std::string clangd = R"({"end":{"character":4,"line":333},"start":{"character":22,"line":1}})";
  const Case cases[] = {
      {usual, usual.size()},
      {clangd, clangd.size()},
      {usual + ",\"x\":1}", usual.size()},
      {R"({"start":{"line":0,"character":0},"end":{"line":999999999,"character":0}})", 73},
      {R"({"start":{"line":0,"character":0},"end":{"line":1000000000,"character":0}})", 0},
      {R"({"start":{"line":01,"character":0},"end":{"line":1,"character":0}})", 0},
      {R"({"start":{"line":1.0,"character":0},"end":{"line":1,"character":0}})", 0},
      {R"({"start":{"line":-1,"character":0},"end":{"line":1,"character":0}})", 0},
      {R"({"start":{"line":,"character":0},"end":{"line":1,"character":0}})", 0},
      {R"({ "start":{"line":1,"character":0},"end":{"line":1,"character":0}})", 0},
      {R"({"start":{"line":1,"character":0},"end":{"line":1,"character":0},"x":1})", 0},
      {R"({"start":{"line":1,"character":0},"start":{"line":1,"character":0}})", 0},
      {usual.substr(0, usual.size() - 1), 0},
      {"{}", 0},
      {"", 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    Range range;
    CHECK(read_compact_range(c.json, range) == c.length);
    if (c.json.starts_with(usual) || c.json == clangd) CHECK(range == Range{{1, 22}, {333, 4}});
  }
  for (std::size_t end = 0; end < usual.size(); ++end) {
    Range range;
    CHECK(read_compact_range(usual.substr(0, end), range) == 0);
  }
  Record record;
  const std::string both = "[" + usual + ", " + clangd + "]";
  CHECK_FALSE(JsonEvents(both, record).read().has_value());
  CHECK(record.log == "[\nrange\nrange\n]\n");
}

}  // namespace
}  // namespace symbols::lsp
