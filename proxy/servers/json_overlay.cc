#include "proxy/servers/json_overlay.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "lsp/json/json_document.h"

namespace symbols::servers {
namespace {

using rapidjson::Value;

void overlay(Value& under, const Value& over, rapidjson::Document::AllocatorType& allocator) {
  for (const auto& member : over.GetObject()) {
    const auto found = under.FindMember(member.name);
    if (found == under.MemberEnd()) {
      under.AddMember(Value(member.name, allocator), Value(member.value, allocator), allocator);
    } else if (found->value.IsObject() && member.value.IsObject()) {
      overlay(found->value, member.value, allocator);
    } else {
      found->value.CopyFrom(member.value, allocator);
    }
  }
}

}  // namespace

std::string overlay_json(std::string_view base, std::string_view over) {
  Result<rapidjson::Document> under = lsp::parse_json(base);
  Result<rapidjson::Document> upper = lsp::parse_json(over);
  if (!upper || !upper->IsObject()) return std::string(under && under->IsObject() ? base : "");
  if (!under || !under->IsObject()) return std::string(over);
  overlay(*under, *upper, under->GetAllocator());
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  under->Accept(writer);
  return {text.GetString(), text.GetSize()};
}

}  // namespace symbols::servers
