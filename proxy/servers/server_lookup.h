// From a server's entry to the command that starts it here: where its program is, what it must be told, and
// what to say when it is not there. Nothing that is in the project is run unless `trust_project` says so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/known_servers.h"

namespace symbols::servers {

class ServerRegistry;

// Where to look, and for whom. All that is read of the environment is here, so that a test needs none.
struct LookupOptions {
  std::filesystem::path project_root;  // empty where there is none
  std::filesystem::path other_root;    // of --root, which may lie elsewhere and is not trusted either
  bool trust_project = false;
  std::filesystem::path working_folder;  // absolute
  std::string path;                      // the value of PATH
  // Folders with a node_modules of ours, tried after the PATH. What lies in them may be run even where the
  // project looked at contains them: it is our own.
  std::vector<std::filesystem::path> own_installs;
  std::filesystem::path rustup_home;
  std::string rustup_toolchain;  // of RUSTUP_TOOLCHAIN
  std::string virtual_env;       // of VIRTUAL_ENV, which Python servers run the interpreter of
  int git_config_count = 0;      // of GIT_CONFIG_COUNT

  // own_installs: $SYMBOLS_SERVERS_DIR if it is absolute, and, beside the running program,
  // ../lib/symbols/servers (installed) and
  // ../scripts/servers (built from source).
  static LookupOptions from_environment(std::filesystem::path project_root, bool trust_project);
};

struct ServerCommand {
  std::string program;  // absolute path
  std::vector<std::string> arguments;
  // NAME=VALUE, put over our own environment. A server must not be started without them: they are part of
  // what keeps it from running what lies in the project.
  std::vector<std::string> environment;
  std::string initialization_options;  // JSON object, or empty for none
  bool wait_for_progress = false;      // ServerSpec's
  bool answers_at_once = false;        // likewise
  std::string display;                 // program and arguments in one line, for messages; not escaped

  auto operator<=>(const ServerCommand&) const = default;
};

// The command for `spec`. Errors: it was not found (names the commands tried and how to install it); it was
// found only inside the project, or runs what is in it (names --trust-project); something it needs is
// missing, such as node.
Result<ServerCommand> find_server(const ServerSpec& spec, const LookupOptions& options);

// The same, and where there is none: whether no such program is here at all, or one that cannot be run.
struct ServerSearch {
  Result<ServerCommand> command;
  bool is_missing = false;
};
ServerSearch search_server(const ServerSpec& spec, const LookupOptions& options);

struct FoundServer {
  const ServerSpec* spec =
      nullptr;  // the registry's; null for a command line of a server that it does not know
  ServerCommand command;
};

// The first server found of those that answer for `file`; `first_line` is the start of its text, looked at
// where the name tells nothing. Error: no server is known for such files, or none was found; says how to get
// the preferred one.
Result<FoundServer> find_server_for_file(const ServerRegistry& registry, const std::filesystem::path& file,
                                         std::string_view first_line, const LookupOptions& options);

// The command of a program that is already found: `program` is an absolute path, `arguments` its own. `spec`
// says what that server must be told, or is null. Errors: as find_server's, but for not being found.
Result<ServerCommand> command_of_program(const std::filesystem::path& program,
                                         std::vector<std::string> arguments, const ServerSpec* spec,
                                         const LookupOptions& options);

}  // namespace symbols::servers
