// Parses small messages (a hover, an error, a server's request) into a RapidJSON document; large replies are
// read by events (document_symbol.cc). Slow to include: for .cc files only.
#pragma once

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/json/json.h"
#include "lsp/position.h"
#include "lsp/unicode.h"

namespace symbols::lsp {

// Parses the JSON value at the start of `json`; what follows it is not read. Lone surrogates become U+FFFD.
// Iterative: the depth of the input costs no stack. Error: the parser's message with the byte offset.
inline Result<rapidjson::Document> parse_json(std::string_view json) {
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  rapidjson::Document document;
  document.ParseStream<rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag>(stream);
  if (document.HasParseError()) {
    return Error{fmt::format("not JSON at byte {}: {}", document.GetErrorOffset(),
                             rapidjson::GetParseError_En(document.GetParseError())),
                 {}};
  }
  return document;
}

// The member of `object` called `name`, or null, also if `object` is not an object. Of several the last one
// counts, as in raw_json.h.
inline const rapidjson::Value* member(const rapidjson::Value& object, std::string_view name) {
  if (!object.IsObject()) return nullptr;
  for (auto it = object.MemberEnd(); it != object.MemberBegin();) {
    --it;
    if (std::string_view(it->name.GetString(), it->name.GetStringLength()) == name) return &it->value;
  }
  return nullptr;
}

// The text of a string, as valid UTF-8; empty for any other value.
inline std::string text_of(const rapidjson::Value& value) {
  if (!value.IsString()) return {};
  return to_valid_utf8({value.GetString(), value.GetStringLength()});
}

// The text of a string member, as valid UTF-8; none if there is no such string.
inline std::optional<std::string> string_member(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* value = member(object, name);
  return value != nullptr && value->IsString() ? std::optional(text_of(*value)) : std::nullopt;
}

// The same, empty if there is none.
inline std::string text_member(const rapidjson::Value& object, std::string_view name) {
  return string_member(object, name).value_or(std::string());
}

// An integer member; none if there is no such number.
inline std::optional<std::int64_t> integer_member(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* value = member(object, name);
  return value != nullptr && value->IsInt64() ? std::optional(value->GetInt64()) : std::nullopt;
}

// The elements of an array; none for any other value.
inline std::span<const rapidjson::Value> elements_of(const rapidjson::Value& value) {
  return value.IsArray() ? std::span(value.Begin(), value.Size()) : std::span<const rapidjson::Value>();
}
inline std::span<const rapidjson::Value> array_member(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* value = member(object, name);
  return value != nullptr ? elements_of(*value) : std::span<const rapidjson::Value>();
}

// A Position or Range object; none if it is null, has another shape or a number outside of uint32.
inline std::optional<Position> read_position(const rapidjson::Value* value) {
  if (value == nullptr) return {};
  const rapidjson::Value* line = member(*value, "line");
  const rapidjson::Value* character = member(*value, "character");
  if (line == nullptr || character == nullptr || !line->IsUint() || !character->IsUint()) return {};
  return Position{line->GetUint(), character->GetUint()};
}

inline std::optional<Range> read_range(const rapidjson::Value* value) {
  if (value == nullptr) return {};
  const std::optional<Position> start = read_position(member(*value, "start"));
  const std::optional<Position> end = read_position(member(*value, "end"));
  if (!start || !end) return {};
  return Range{*start, *end};
}

}  // namespace symbols::lsp
