// servers.json: the servers that are known without configuration and, in the same form (docs/servers.md has
// an example), a user's own. The latter is read from the user's configuration folder and nowhere else: a file
// in the project would let the project choose what is run. The members are those of ServerSpec. Only the
// built-in list, servers.json beside this file, may have: `languages` of its own, several commands for a
// server, and the settings that keep a server from running what is in a project, which a user's entry
// inherits from the built-in one for the same program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "base/text.h"
#include "proxy/files/project_root.h"

namespace symbols::servers {

// Servers that need code of their own to be found or to be started safely.
enum class ServerKind {
  plain,
  clangd,                      // Debian has several as clangd-N: the newest is wanted
  ccls,                        // follows a project's compile flags, and `.ccls`, in any case
  native_typescript,           // TypeScript 7: a native program inside an npm package
  typescript_language_server,  // runs the project's TypeScript unless it is given another
  rust_analyzer,               // runs rustc and cargo of the toolchain that the project names
};

// The ids are those of LSP 3.17, "Text Document Language Identifiers", or, if it has none, what the
// language's own server expects.
struct Language {
  std::string id;                         // LSP's languageId
  std::vector<std::string> extensions;    // with the dot: ".py"; the longest that fits wins
  std::vector<std::string> file_names;    // whole names: "Dockerfile"; they win over extensions
  std::vector<std::string> interpreters;  // in a script's "#!" line, without folder and version: "python"

  bool operator==(const Language&) const = default;
};

struct ServerSpec {
  std::string name;                                // of `--server NAME`, unique
  std::vector<std::vector<std::string>> commands;  // program and arguments, tried in this order
  std::vector<Language> languages;                 // the first that fits a file gives its language id
  // Files that mark a folder as a project's root for this server. `.git` is not among them: it marks a root
  // for every server, as the last resort.
  files::RootMarkers root_markers;
  // The file that every folder of a package has, such as "__init__.py". Empty for none.
  std::string package_marker;
  std::string initialization_options;  // JSON object, or empty for none
  std::string install;                 // "npm install -g pyright"
  // Whether its hovers are useless until the $/progress after `initialized` has ended, and one of
  // files_found_logs has come.
  bool wait_for_progress = false;
  // It publishes diagnostics of each open document with the version; those without are of the file on disk.
  bool versioned_diagnostics = false;
  // Whether its first reply about a document is complete. bash-language-server's is empty until it has looked
  // at the document, 50 ms later; servers never tried here count as such: an empty reply is retried.
  bool answers_at_once = false;
  std::vector<std::string> version_arguments = {"--version"};
  // The changes of files on disk that it takes into account at once when it is told of them by
  // workspace/didChangeWatchedFiles: endings of names, `*` for all, `!` before those that are excepted. For
  // others, and for servers that were never tried, only a new start is sure to see them.
  std::vector<std::string> told_of_changes;
  // How a message begins that it logs (window/logMessage) once it has found the project's files, one of
  // these: before, it answers with the references in those that it has found. Empty: it does not do that.
  std::vector<std::string> files_found_logs;

  // Variables that name folders of caches. Those of a confined server are kept for each project, not shared.
  std::vector<std::string> kept_caches;
  // Whether it needs semaphores, which are files in /dev/shm: confined, it may write there too.
  bool shared_memory = false;

  ServerKind kind = ServerKind::plain;
  // For an untrusted project: merged into initialization_options, and added to the environment (NAME=VALUE).
  std::string untrusted_options;
  std::vector<std::string> untrusted_environment;
  // What it runs of the project and cannot be kept from running: "build.zig". If there is such a thing, it is
  // not started for a project that is not trusted. Empty: nothing.
  std::string runs_of_project;

  bool from_user = false;          // in a user's servers.json
  bool command_from_user = false;  // its command is from there, and started unchanged

  bool operator==(const ServerSpec&) const = default;
};

// All, in order of preference; read once. To add one, add it to proxy/servers/servers.json. `install` names
// Debian or npm if these have the program, else the project's own way; `runs_of_project` continues "it runs".
const std::vector<ServerSpec>& known_servers();

// The file that they are read from, embedded in the program.
std::span<const EmbeddedFile> servers_json();

// The first of `servers` whose program is called `name` (without folder; "clangd-19" is "clangd"), or null.
const ServerSpec* server_of_program(const std::vector<ServerSpec>& servers, std::string_view name);

// initializationOptions, which come from up to three places: the built-in list, a user's servers.json, and
// the additions for untrusted projects. `base` with the members of `over` merged into it, nested objects too;
// any other value replaces the old one. Each is the text of a JSON object, or empty; so is the result.
// Anything but an object counts as empty. The nesting of both must be bounded: writing JSON recurses.
std::string overlay_json(std::string_view base, std::string_view over);

// $XDG_CONFIG_HOME/symbols/servers.json, or ~/.config/symbols/servers.json; empty if neither variable holds
// an absolute path. A relative one would be looked up in the current folder, which may be the project (and
// the XDG Base Directory Specification says to ignore it). Reads only the environment, no file.
fs::path user_servers_file();

// The servers in `text`, the content of `file` (named in errors). If `built_in` is null it is the built-in
// list itself. Else it is a user's, whose entries change the ones of `built_in` with their name: what such an
// entry leaves out stays; any other needs `command` and `languages`. Errors: not JSON, with line and column;
// a member of a wrong type, unknown, missing or duplicate, with its path and what is allowed there.
Result<std::vector<ServerSpec>> parse_servers(std::string_view text, const std::string& file,
                                              const std::vector<ServerSpec>* built_in);

}  // namespace symbols::servers
