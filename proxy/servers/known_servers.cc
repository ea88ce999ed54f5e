#include "proxy/servers/known_servers.h"

#include <cstddef>

#include "proxy/servers/servers_file.h"

namespace symbols::servers {

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

}  // namespace symbols::servers
