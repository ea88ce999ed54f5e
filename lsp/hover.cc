#include "lsp/hover.h"

#include <fmt/format.h>

#include <utility>

#include "lsp/json/json_document.h"

namespace symbols::lsp {
namespace {

Error unexpected(std::string_view what) {
  return {fmt::format("the hover reply is not of a shape that LSP knows: {}", what), {}};
}

// A string, MarkupContent or {language, value}; false if it is none of them.
bool read_part(const rapidjson::Value& value, HoverPart& part) {
  if (value.IsString()) {
    part = {HoverPart::Form::markdown, text_of(value)};
    return true;
  }
  if (!value.IsObject()) return false;
  std::optional<std::string> text = string_member(value, "value");
  if (!text) return false;
  const std::optional<std::string> kind = string_member(value, "kind");
  part.form = !kind                 ? HoverPart::Form::code
              : kind == "plaintext" ? HoverPart::Form::plaintext
                                    : HoverPart::Form::markdown;
  part.value = *std::move(text);
  return true;
}

}  // namespace

Result<Hover> decode_hover(std::string_view json) {
  const Result<rapidjson::Document> document = parse_json(json);
  if (!document) return document.error();
  const rapidjson::Value& hover = *document;
  Hover decoded;
  if (hover.IsNull()) return decoded;
  if (!hover.IsObject()) return unexpected("not an object");
  decoded.range = read_range(member(hover, "range"));

  const rapidjson::Value* contents = member(hover, "contents");
  if (contents == nullptr || contents->IsNull()) return decoded;
  const auto add = [&](const rapidjson::Value& value) {
    HoverPart part;
    if (!read_part(value, part)) return false;
    if (!part.value.empty()) decoded.parts.push_back(std::move(part));
    return true;
  };
  if (!contents->IsArray()) {
    if (!add(*contents)) return unexpected("'contents' is not text");
    return decoded;
  }
  for (const rapidjson::Value& value : contents->GetArray()) {
    if (!add(value)) return unexpected("an element of 'contents' is not text");
  }
  return decoded;
}

}  // namespace symbols::lsp
