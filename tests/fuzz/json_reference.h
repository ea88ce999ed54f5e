// What RapidJSON's full parser makes of JSON, within its limits: what our readers of parts are compared with.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>
#include <string_view>

#include "lsp/json/json.h"

namespace symbols::fuzz {

// Builds a document in which numbers are strings that begin with `#`: exact, however long.
class KeepingNumbers : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, KeepingNumbers> {
 public:
  explicit KeepingNumbers(rapidjson::Document& to) : to_(to) {}

  bool Null() { return to_.Null(); }
  bool Bool(bool value) { return to_.Bool(value); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    const std::string marked = "#" + std::string(text, size);
    return to_.String(marked.data(), size + 1, true);
  }
  bool String(const char* text, rapidjson::SizeType size, bool) { return to_.String(text, size, true); }
  bool Key(const char* text, rapidjson::SizeType size, bool) { return to_.Key(text, size, true); }
  bool StartObject() { return to_.StartObject(); }
  bool EndObject(rapidjson::SizeType count) { return to_.EndObject(count); }
  bool StartArray() { return to_.StartArray(); }
  bool EndArray(rapidjson::SizeType count) { return to_.EndArray(count); }

 private:
  rapidjson::Document& to_;
};

struct Parsed {
  rapidjson::Document document;
  bool valid = false;

  // `json` is all of one value. Lone surrogates are no fault, as in lsp/json/json.h.
  explicit Parsed(std::string_view json) {
    std::string storage;
    const std::string_view mended = lsp::mend_lone_surrogates(json, storage);
    rapidjson::MemoryStream stream(mended.data(), mended.size());
    rapidjson::Reader reader;
    const auto parse = [&](rapidjson::Document& to) {
      KeepingNumbers handler(to);
      constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
      valid = !reader.Parse<flags>(stream, handler).IsError();
      return valid;
    };
    document.Populate(parse);
    // To RapidJSON it is the end of the text.
    if (json.find('\0') != std::string_view::npos) valid = false;
  }
};

// One spelling of a value, for comparisons. Duplicate members stay. Not of values as deep as the stack.
inline std::string spelled(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

inline std::string_view text_of(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

// The last member of that name; null if there is none. `object` is one.
inline const rapidjson::Value* last_member(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* last = nullptr;
  for (const auto& member : object.GetObject()) {
    if (text_of(member.name) == name) last = &member.value;
  }
  return last;
}

inline bool is_number(const rapidjson::Value& value) {
  return value.IsString() && text_of(value).starts_with('#');
}

}  // namespace symbols::fuzz
