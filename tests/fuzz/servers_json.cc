// A user's servers.json (proxy/servers/servers_file.h): servers that can be started, or one error that says
// where.
// Covers: proxy/servers/servers_file.cc
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/unicode.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz::servers_json_target {

void check_server(const servers::ServerSpec& spec) {
  holds(!spec.name.empty(), "a server has a name");
  holds(!spec.commands.empty(), "a server has a command");
  for (const std::vector<std::string>& command : spec.commands) {
    holds(!command.empty() && !command.front().empty(), "a command has a program");
    for (const std::string& word : command)
      holds(word.find('\0') == std::string::npos, "a word can be passed on");
  }
  holds(!spec.languages.empty(), "a server has a language");
  for (const servers::Language& language : spec.languages) {
    holds(!language.id.empty(), "a language has an id");
  }
  holds(spec.from_user, "a user's server is known as one");
  if (!spec.initialization_options.empty()) {
    const Parsed options(spec.initialization_options);
    holds(options.valid && options.document.IsObject(), "initialization options are an object");
  }
}

void servers_json(std::string_view data) {
  const std::vector<servers::ServerSpec>& built_in = servers::known_servers();
  const Result<std::vector<servers::ServerSpec>> read =
      servers::parse_servers(data, "servers.json", &built_in);
  if (!read) {
    const std::string text = read.error().text();
    holds(text.find("servers.json") != std::string::npos, "an error names the file");
    holds(lsp::find_invalid_utf8(text) == std::string_view::npos, "an error is UTF-8");
    for (const char c : text) holds(static_cast<unsigned char>(c) >= 0x20, "an error is one printable line");
    return;
  }
  std::set<std::string> names;
  for (const servers::ServerSpec& spec : *read) {
    check_server(spec);
    holds(names.insert(spec.name).second, "each name is there once");
    for (const servers::Language& language : spec.languages) {
      for (const std::string& extension : language.extensions) {
        holds(servers::match_language(spec.languages, "a" + extension, {}).language != nullptr ||
                  extension.find('/') != std::string::npos,
              "a file with the extension of a language is of one");
      }
    }
  }
}

const Registration registration("servers_json", servers_json);

}  // namespace symbols::fuzz::servers_json_target
