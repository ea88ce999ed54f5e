// The servers that are known without anybody's configuration: what each answers for, how it is started and
// installed, and what must be said to it so that it runs nothing of a project that is not trusted.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"

namespace symbols::servers {

// What has to be known of a server beside its command, to find it or to start it safely.
enum class ServerKind {
  plain,
  clangd,                      // Debian's come as clangd-N: the newest is wanted
  ccls,                        // follows a project's compile flags, and `.ccls`, whatever it is told
  native_typescript,           // TypeScript 7: a native program inside an npm package
  typescript_language_server,  // runs the project's TypeScript unless it is told of another
  rust_analyzer,               // runs rustc and cargo of the toolchain that the project names
};

// By the language ids that LSP 3.17 lists under "Text Document Language Identifiers" and, where it has none,
// by those that the language's own server expects.
struct Language {
  std::string id;                         // LSP's languageId
  std::vector<std::string> extensions;    // with the dot: ".py"; the longest that a name ends in counts
  std::vector<std::string> file_names;    // whole names: "Dockerfile"; they win over extensions
  std::vector<std::string> interpreters;  // of a script's "#!" line, without folder and version: "python"

  bool operator==(const Language&) const = default;
};

struct ServerSpec {
  std::string name;                                // of `--server NAME`, unique
  std::vector<std::vector<std::string>> commands;  // program and arguments, tried in this order
  std::vector<Language> languages;                 // the first that fits a file gives its language id
  // Names in a folder that make it a project's root, for this server. `.git` is not among them: it marks a
  // root for every server, as the last resort.
  std::vector<std::string> root_markers;
  std::string initialization_options;  // JSON object, or empty for none
  std::string install;                 // "npm install -g pyright"
  // Whether its hovers mean nothing until the $/progress that follows `initialized` has ended.
  bool wait_for_progress = false;
  // Whether its first reply about a document is the whole one. bash-language-server's is empty until it has
  // looked at the document, 50 ms later; of servers that nobody has tried here an empty reply is not believed
  // at once.
  bool answers_at_once = false;
  std::vector<std::string> version_arguments = {"--version"};

  ServerKind kind = ServerKind::plain;
  // For a project that is not trusted: laid over initialization_options (member by member), and added to the
  // environment (NAME=VALUE).
  std::string untrusted_options;
  std::vector<std::string> untrusted_environment;
  // What of the project it runs and cannot be told not to: "build.zig". Then it is not started for a project
  // that is not trusted. Empty: nothing.
  std::string runs_of_project;

  bool from_user = false;          // a user's servers.json names it
  bool command_from_user = false;  // and gives its command, which is then started as it stands

  bool operator==(const ServerSpec&) const = default;
};

// All of them, for one language in order of preference; read once. To add one is to add it to
// proxy/servers/servers.json. Its install lines name Debian or npm where these have the program, else the
// project's own way; `runs_of_project` reads on after "it runs".
const std::vector<ServerSpec>& known_servers();

// The file that they are read from, as it was built into the program.
std::span<const EmbeddedFile> servers_json();

// The first of `servers` with a command whose program is called `name` (without folder; "clangd-19" counts as
// "clangd"), or null.
const ServerSpec* server_of_program(const std::vector<ServerSpec>& servers, std::string_view name);

}  // namespace symbols::servers
