// Turns a server's entry into the command that starts it here: where its program is, which options it must
// get, and the error if it is missing. Nothing in the project is run unless `trust_project` is set.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/servers/program_search.h"
#include "proxy/servers/servers_file.h"

namespace symbols::servers {

class ServerRegistry;

// Where to look. Holds all that is read of the environment, so that a test needs none.
struct LookupOptions {
  fs::path project_root;  // empty if there is none
  fs::path other_root;    // from --root, which may be elsewhere and is not trusted either
  bool trust_project = false;
  fs::path working_folder;  // absolute
  std::string path;         // the value of PATH
  // Folders with a node_modules of ours, tried after the PATH. Programs in them may be run even if the
  // project contains them: they are our own.
  std::vector<fs::path> own_installs;
  std::vector<std::string> refused_installs;  // sentences for the user: which are not used, and why
  fs::path rustup_home;
  std::string rustup_toolchain;          // of RUSTUP_TOOLCHAIN
  std::vector<std::string> environment;  // all of it: NAME=VALUE

  ProjectBoundary boundary() const { return {project_root, trust_project, other_root}; }

  // own_installs: as find_own_installs() finds them.
  static LookupOptions from_environment(fs::path project_root, bool trust_project, fs::path other_root = {});
};

struct ServerCommand {
  std::string program;  // absolute path
  std::vector<std::string> arguments;
  // NAME=VALUE, overriding what it inherits. A server must not be started without them: they help keep it
  // from running what is in the project.
  std::vector<std::string> environment;
  // What it inherits if the project is not trusted, and then it must not be started in the project's folder.
  // None: all of our own environment.
  std::optional<std::vector<std::string>> inherited_environment{};
  std::string initialization_options;           // JSON object, or empty for none
  bool wait_for_progress = false;               // ServerSpec's
  bool versioned_diagnostics = false;           // likewise
  bool answers_at_once = false;                 // likewise
  std::vector<std::string> told_of_changes{};   // likewise
  std::vector<std::string> files_found_logs{};  // likewise
  std::vector<std::string> kept_caches{};       // likewise
  std::string display;  // program and arguments in one line, for messages; not escaped

  auto operator<=>(const ServerCommand&) const = default;
};

// The command for `spec`. Errors: it was not found (the message names the commands tried and how to install
// it); it was found only inside the project, or runs what is in it (the message names --trust-project);
// something it needs is missing, such as node.
struct ServerSearch {
  Result<ServerCommand> command;
  bool is_missing = false;  // on an error: there is no such program at all, none that only cannot be run
};
ServerSearch find_server(const ServerSpec& spec, const LookupOptions& options);
// The same for a server that is only to be shown: it is found even if it runs what is in the project.
ServerSearch find_installed(ServerSpec spec, const LookupOptions& options);

struct FoundServer {
  const ServerSpec* spec = nullptr;  // the registry's; null for a command line that it does not know
  ServerCommand command;
};

// The first server found of those for `file`; `first_line`: its text's start, for names that tell nothing.
// Error: no server is known for such files, or none was found; the advice is how to get the preferred one.
Result<FoundServer> find_server_for_file(const ServerRegistry& registry, const fs::path& file,
                                         std::string_view first_line, const LookupOptions& options);

// Why `program`, in an untrusted project, is not started as `server`; `otherwise`: what else the user can do.
Error in_project(std::string_view server, const fs::path& program, const LookupOptions& options,
                 std::string_view otherwise);

// The command of a program that is already found, an absolute path. `spec`, if not null, has the options that
// it must get. Errors: find_server's, except for "not found".
Result<ServerCommand> command_of_program(const fs::path& program, std::vector<std::string> arguments,
                                         const ServerSpec* spec, const LookupOptions& options);

// The words of a command line, by the shell's rules for quoting and no others: '…' takes everything
// literally, "…" everything except a backslash before `"` or `\`, and outside of quotes a backslash escapes
// the next character. Errors: a quote that is not closed, a backslash at the end, no word at all.
Result<std::vector<std::string>> split_command_line(std::string_view text);

// The server that `text`, the value of --server, names: one of the registry by its name, else a command line.
// A program with a slash is a path relative to `options.working_folder`, which may be inside the project,
// since the user named it; any other is searched on the PATH as usual. Arguments that begin with ./ or ../,
// also behind the `=` of an option, are made absolute likewise, since the server is started elsewhere. A
// program that the registry knows gets that server's options (FoundServer::spec). Errors: find_server's, and
// split_command_line's.
Result<FoundServer> server_from_text(std::string_view text, const ServerRegistry& registry,
                                     const LookupOptions& options);

}  // namespace symbols::servers
