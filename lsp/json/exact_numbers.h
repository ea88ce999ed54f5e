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

// For Document::Populate(): reads `json`, nothing behind it, without recursion; its text must be valid UTF-8.
// The result is error(); a number that no double can hold is kParseErrorNumberTooBig.
class ExactNumbers {
 public:
  explicit ExactNumbers(std::string_view json) : json_(json) {}

  bool operator()(rapidjson::Document& document) {
    Events events(document);
    rapidjson::MemoryStream stream(json_.data(), json_.size());
    rapidjson::Reader reader;
    error_ = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag |
                          rapidjson::kParseNumbersAsStringsFlag>(stream, events);
    if (events.too_big) error_.Set(rapidjson::kParseErrorNumberTooBig, error_.Offset());
    return !error_.IsError();
  }
  const rapidjson::ParseResult& error() const { return error_; }

 private:
  // Passes everything on, and reads numbers itself.
  struct Events {
    explicit Events(rapidjson::Document& receiver) : to(receiver) {}

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
    bool Int(int value) { return to.Int(value); }
    bool Uint(unsigned value) { return to.Uint(value); }
    bool Int64(std::int64_t value) { return to.Int64(value); }
    bool Uint64(std::uint64_t value) { return to.Uint64(value); }
    bool Double(double value) { return to.Double(value); }
    bool String(const char* text, rapidjson::SizeType length, bool) { return to.String(text, length, true); }
    bool StartObject() { return to.StartObject(); }
    bool Key(const char* text, rapidjson::SizeType length, bool) { return to.Key(text, length, true); }
    bool EndObject(rapidjson::SizeType members) { return to.EndObject(members); }
    bool StartArray() { return to.StartArray(); }
    bool EndArray(rapidjson::SizeType elements) { return to.EndArray(elements); }

    rapidjson::Document& to;
    bool too_big = false;
  };

  std::string_view json_;
  rapidjson::ParseResult error_;
};

}  // namespace symbols::lsp
