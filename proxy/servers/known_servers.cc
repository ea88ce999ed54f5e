#include "proxy/servers/known_servers.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstddef>

#include "lsp/json/json_document.h"
#include "proxy/servers/servers_file.h"

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

const std::vector<ServerSpec>& known_servers() {
  static const std::vector<ServerSpec> servers =
      parse_servers(servers_json().front().text, "servers.json", nullptr).value();  // a test reads it
  return servers;
}

const ServerSpec* server_of_program(const std::vector<ServerSpec>& servers, std::string_view name) {
  const std::size_t dash = name.rfind('-');
  const bool versioned = dash != name.npos && dash + 1 < name.size() &&
                         name.find_first_not_of("0123456789", dash + 1) == name.npos;
  for (const std::string_view wanted : {name, versioned ? name.substr(0, dash) : name}) {
    for (const ServerSpec& spec : servers) {
      for (const std::vector<std::string>& command : spec.commands) {
        const std::string_view program = command.front();
        if (program.substr(program.rfind('/') + 1) == wanted) return &spec;
      }
    }
  }
  return nullptr;
}

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
