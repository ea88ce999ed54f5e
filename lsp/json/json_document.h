// Small JSON values as a RapidJSON document, for messages of known small size (a hover, an error, a server's
// request). Heavy to include: for .cc files only. Large replies are read by events instead
// (document_symbol.cc).
#pragma once

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/json/json.h"
#include "lsp/range.h"
#include "lsp/unicode.h"

namespace symbols::lsp {

// Parses the JSON value at the start of `json`; what follows it is not read. Lone surrogates read as U+FFFD.
// Iterative: the depth of the input costs no stack. Error: the parser's words with the byte offset.
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

// The member of `object` called `name`, or null; null also where `object` is no object.
inline const rapidjson::Value* member(const rapidjson::Value& object, std::string_view name) {
  if (!object.IsObject()) return nullptr;
  for (auto it = object.MemberBegin(); it != object.MemberEnd(); ++it) {
    if (std::string_view(it->name.GetString(), it->name.GetStringLength()) == name) return &it->value;
  }
  return nullptr;
}

// A Position or Range object; none where it is of another shape or out of LSP's uinteger.
inline std::optional<Position> read_position(const rapidjson::Value& value) {
  const rapidjson::Value* line = member(value, "line");
  const rapidjson::Value* character = member(value, "character");
  if (line == nullptr || character == nullptr || !line->IsUint() || !character->IsUint()) return {};
  return Position{line->GetUint(), character->GetUint()};
}

inline std::optional<Range> read_range(const rapidjson::Value& value) {
  const rapidjson::Value* start = member(value, "start");
  const rapidjson::Value* end = member(value, "end");
  if (start == nullptr || end == nullptr) return {};
  const std::optional<Position> from = read_position(*start);
  const std::optional<Position> to = read_position(*end);
  if (!from || !to) return {};
  return Range{*from, *to};
}

}  // namespace symbols::lsp
