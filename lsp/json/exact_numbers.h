// Parses JSON into a RapidJSON document with each number as near to its text as a double can be, so that
// writing it again changes none. RapidJSON's own flag for that, kParseFullPrecisionFlag, shifts by more than
// 64 bits at zeros such as `0e-101` (1.1.0, StrtodDiyFp). Slow to include: for .cc files only.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace symbols::lsp {

// Passes everything on to a document, and reads numbers itself: they come as RawNumber only.
struct ExactNumberEvents : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, ExactNumberEvents> {
  explicit ExactNumberEvents(rapidjson::Document& receiver) : to(receiver) {}

  bool RawNumber(const char* start, rapidjson::SizeType length, bool) {
    const std::string text(start, length);
    if (text.find_first_of(".eE") == text.npos) {
      const char* const end = text.data() + text.size();
      std::int64_t integer = 0;
      if (std::from_chars(text.data(), end, integer).ec == std::errc()) return to.Int64(integer);
      std::uint64_t natural = 0;
      if (std::from_chars(text.data(), end, natural).ec == std::errc()) return to.Uint64(natural);
    }
    const double number = std::strtod(text.c_str(), nullptr);
    too_big = std::isinf(number);
    return !too_big && to.Double(number);
  }
  bool Null() { return to.Null(); }
  bool Bool(bool value) { return to.Bool(value); }
  bool String(const char* text, rapidjson::SizeType length, bool) { return to.String(text, length, true); }
  bool StartObject() { return to.StartObject(); }
  bool Key(const char* text, rapidjson::SizeType length, bool) { return to.Key(text, length, true); }
  bool EndObject(rapidjson::SizeType members) { return to.EndObject(members); }
  bool StartArray() { return to.StartArray(); }
  bool EndArray(rapidjson::SizeType elements) { return to.EndArray(elements); }

  rapidjson::Document& to;
  bool too_big = false;
};

// Reads `json`, nothing behind it, without recursion; its text must be valid UTF-8. A number that no double
// can hold is kParseErrorNumberTooBig.
inline rapidjson::ParseResult parse_exact_numbers(std::string_view json, rapidjson::Document& document) {
  rapidjson::ParseResult result;
  const auto read = [&](rapidjson::Document& to) {
    ExactNumberEvents events(to);
    rapidjson::MemoryStream stream(json.data(), json.size());
    rapidjson::Reader reader;
    result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag |
                          rapidjson::kParseNumbersAsStringsFlag>(stream, events);
    if (events.too_big) result.Set(rapidjson::kParseErrorNumberTooBig, result.Offset());
    return !result.IsError();
  };
  document.Populate(read);
  return result;
}

}  // namespace symbols::lsp
