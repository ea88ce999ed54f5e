#include "proxy/servers/json_overlay.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>
#include <vector>

#include "lsp/json/json_document.h"

namespace symbols::servers {

std::string overlay_json(std::string_view base, std::string_view over) {
  using rapidjson::Value;
  Result<rapidjson::Document> under = lsp::parse_json(base);
  Result<rapidjson::Document> upper = lsp::parse_json(over);
  if (!upper || !upper->IsObject()) return std::string(under && under->IsObject() ? base : "");
  if (!under || !under->IsObject()) return std::string(over);

  auto& allocator = under->GetAllocator();
  std::vector<std::pair<Value*, const Value*>> pairs{{&*under, &*upper}};
  while (!pairs.empty()) {
    const auto [target, source] = pairs.back();
    pairs.pop_back();
    for (const auto& member : source->GetObject()) {
      const auto found = target->FindMember(member.name);
      if (found == target->MemberEnd()) {
        target->AddMember(Value(member.name, allocator), Value(member.value, allocator), allocator);
      } else if (!found->value.IsObject() || !member.value.IsObject()) {
        found->value.CopyFrom(member.value, allocator);
      }
    }
    // Added only now, as that moves the other members.
    for (const auto& member : source->GetObject()) {
      const auto found = target->FindMember(member.name);
      if (found->value.IsObject() && member.value.IsObject())
        pairs.emplace_back(&found->value, &member.value);
    }
  }
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  under->Accept(writer);
  return {text.GetString(), text.GetSize()};
}

}  // namespace symbols::servers
