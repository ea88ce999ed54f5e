#include "proxy/servers/server_lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "lsp/json/json.h"
#include "proxy/servers/npm_package.h"
#include "proxy/servers/program_search.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/trust_boundary.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

// A program that can be run as it is, or why there is none.
struct Lookup {
  fs::path program;  // empty: none
  std::vector<std::string> arguments;
  std::vector<fs::path> forbidden;  // skipped because they are in the project
  std::vector<Error> unusable;      // skipped for other reasons
};

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// "pyright-langserver"
std::string programs_of(const ServerSpec& spec) {
  if (spec.kind == ServerKind::native_typescript && !spec.command_from_user)
    return "tsc of TypeScript 7 or later";
  std::vector<std::string> names;
  for (const std::vector<std::string>& command : spec.commands) names.push_back(command.front());
  return fmt::format("{}", fmt::join(names, " or "));
}

// Why `program`, if it is a script, cannot be run: its interpreter is missing ("node" is not part of an npm
// server). None if all is well.
std::optional<Error> missing_interpreter(const fs::path& program, const LookupOptions& options,
                                         const ProjectBoundary& boundary) {
  const std::string interpreter = interpreter_of(program);
  const ProgramSearch search = find_programs(interpreter, options.path, boundary);
  if (interpreter.empty() || !search.found.empty()) return {};
  const bool is_path = interpreter.find('/') != interpreter.npos;
  if (!search.forbidden.empty()) {
    return Error{
        fmt::format("{} needs {}, which is in the project {} and is not run unless the project is trusted",
                    program.string(), search.forbidden.front().string(), options.project_root.string()),
        fmt::format("install {} elsewhere, or pass --trust-project", is_path ? "the server" : interpreter)};
  }
  return Error{fmt::format("{} needs {}, which {}", program.string(), interpreter,
                           is_path ? "does not exist" : "is not on the PATH"),
               is_path                 ? "install the server again"
               : interpreter == "node" ? "install it: apt install nodejs"
                                       : fmt::format("install {}, or put it on the PATH", interpreter)};
}

// Why a rustup proxy would fail; none for any other program.
std::optional<Error> missing_rustup_component(const fs::path& program, const LookupOptions& options) {
  if (options.trust_project || !is_rustup_proxy(program)) return {};
  const std::string toolchain = options.rustup_toolchain.empty()
                                    ? default_rustup_toolchain(options.rustup_home)
                                    : options.rustup_toolchain;
  const std::string name = program.filename().string();
  if (toolchain.empty() || rustup_toolchain_has(options.rustup_home, toolchain, name)) return {};
  return Error{
      fmt::format("{} is a rustup proxy, and the toolchain {} has no {}", program.string(), toolchain, name),
      fmt::format("install it: rustup component add {}", name)};
}

// Takes the first of `programs` that can be run.
bool take(Lookup& lookup, const std::vector<fs::path>& programs, const std::vector<std::string>& command,
          const LookupOptions& options, const ProjectBoundary& boundary) {
  for (const fs::path& program : programs) {
    std::optional<Error> fault = missing_interpreter(program, options, boundary);
    if (!fault) fault = missing_rustup_component(program, options);
    if (!fault) {
      lookup.program = program;
      lookup.arguments.assign(command.begin() + 1, command.end());
      return true;
    }
    lookup.unusable.push_back(std::move(*fault));
  }
  return false;
}

// What follows "install it": ": npm install -g pyright", ", see https://…".
std::string way_to_install(const ServerSpec& spec) {
  if (spec.install.empty()) return {};
  return (spec.install.starts_with("see ") ? ", " : ": ") + spec.install;
}

Lookup look_up(const ServerSpec& spec, const LookupOptions& options, const ProjectBoundary& boundary) {
  Lookup lookup;
  if (spec.kind == ServerKind::native_typescript && !spec.command_from_user) {
    NativeTypescript native = find_native_typescript(options.path, options.own_installs, boundary);
    lookup.program = native.program;
    lookup.arguments.assign(spec.commands.front().begin() + 1, spec.commands.front().end());
    lookup.forbidden = std::move(native.forbidden);
    if (!native.broken.empty())
      lookup.unusable.push_back({native.broken, "install it again" + way_to_install(spec)});
    return lookup;
  }
  for (const std::vector<std::string>& command : spec.commands) {
    const bool is_any_clangd = spec.kind == ServerKind::clangd && !spec.command_from_user;
    const ProgramSearch search = is_any_clangd ? find_clangds(options.path, boundary)
                                               : find_programs(command.front(), options.path, boundary);
    if (take(lookup, search.found, command, options, boundary)) return lookup;
    lookup.forbidden.insert(lookup.forbidden.end(), search.forbidden.begin(), search.forbidden.end());
    for (const fs::path& install : options.own_installs) {
      const fs::path program = install / "node_modules" / ".bin" / command.front();
      if (command.front().front() != '/' && is_program(program) &&
          take(lookup, {program}, command, options, boundary))
        return lookup;
    }
  }
  return lookup;
}

// Why `lookup` ended without a program.
Error not_found(const ServerSpec& spec, const Lookup& lookup, const LookupOptions& options) {
  if (!lookup.unusable.empty()) {
    const Error& first = lookup.unusable.front();
    return {fmt::format("cannot start the server {}: {}", spec.name, first.message), first.advice};
  }
  if (!lookup.forbidden.empty()) {
    return in_project(spec.name, lookup.forbidden.front(), options,
                      "install it elsewhere" + way_to_install(spec));
  }
  return {fmt::format("cannot find the server {}: there is no {} on the PATH", spec.name, programs_of(spec)),
          "install it" + way_to_install(spec)};
}

// Variables that keep what the server itself starts (its interpreter, python, go, cargo, git) from being
// found in or configured by the project, beside what it inherits (trust_boundary.h).
std::vector<std::string> untrusted_environment(const ServerSpec* spec, const LookupOptions& options,
                                               const ProjectBoundary& boundary) {
  std::vector<std::string> environment{
      "PATH=" + allowed_path(options.path, boundary),
      // git runs what core.fsmonitor of the repository's own configuration names.
      "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false"};
  if (spec == nullptr) return environment;
  environment.insert(environment.end(), spec->untrusted_environment.begin(),
                     spec->untrusted_environment.end());
  if (spec->kind == ServerKind::rust_analyzer && options.rustup_toolchain.empty()) {
    const std::string toolchain = default_rustup_toolchain(options.rustup_home);
    if (!toolchain.empty()) environment.push_back("RUSTUP_TOOLCHAIN=" + toolchain);
  }
  return environment;
}

// The tsserver that typescript-language-server is to run; without one it takes the project's own.
Result<std::string> tsserver_options(const fs::path& program, const LookupOptions& options,
                                     const ProjectBoundary& boundary) {
  const fs::path script = find_tsserver(options.path, options.own_installs, program, boundary);
  if (script.empty() && !options.trust_project) {
    return Error{fmt::format("cannot start {}: it needs a TypeScript before 7 (lib/tsserver.js), none is on "
                             "the PATH, and that "
                             "of the project is not run unless the project is trusted",
                             program.string()),
                 "install one: npm install --prefix ~/.local/lib/symbols/servers typescript@5, or pass "
                 "--trust-project"};
  }
  const std::string path = script.empty()
                               ? std::string()
                               : fmt::format(R"("{}":{},)", options.trust_project ? "fallbackPath" : "path",
                                             lsp::json_string(script.string()));
  return {boost::system::in_place_value,
          fmt::format(
              R"({{"disableAutomaticTypingAcquisition":true,"tsserver":{{{}"useSyntaxServer":"never"}}}})",
              path)};
}

}  // namespace

LookupOptions LookupOptions::from_environment(fs::path project_root, bool trust_project,
                                              fs::path other_root) {
  LookupOptions options;
  options.project_root = std::move(project_root);
  options.other_root = std::move(other_root);
  options.trust_project = trust_project;
  const ProjectBoundary boundary = options.boundary();
  options.path = environment_variable("PATH");
  options.rustup_toolchain = environment_variable("RUSTUP_TOOLCHAIN");
  // No server inherits a path there: it may lead into the project.
  if (options.rustup_toolchain.find('/') != std::string::npos) options.rustup_toolchain.clear();
  options.environment = own_environment();
  options.rustup_home = environment_variable("RUSTUP_HOME");
  if (options.rustup_home.is_relative() || boundary.forbids(options.rustup_home))
    options.rustup_home = fs::path(environment_variable("HOME")) / ".rustup";
  if (options.rustup_home.is_relative() || boundary.forbids(options.rustup_home)) options.rustup_home.clear();

  std::error_code error;
  options.working_folder = fs::current_path(error);
  OwnInstalls installs =
      find_own_installs(environment_variable("SYMBOLS_SERVERS_DIR"), environment_variable("HOME"),
                        fs::read_symlink("/proc/self/exe", error), boundary);
  options.own_installs = std::move(installs.folders);
  options.refused_installs = std::move(installs.refused);
  return options;
}

Error in_project(std::string_view server, const fs::path& program, const LookupOptions& options,
                 std::string_view otherwise) {
  return {fmt::format("cannot start the server {}: {} is in the project {}, and nothing in it is run unless "
                      "it is trusted",
                      server, program.string(), options.project_root.string()),
          fmt::format("pass --trust-project to run it, or {}", otherwise)};
}

Result<ServerCommand> command_of_program(const fs::path& program, std::vector<std::string> arguments,
                                         const ServerSpec* spec, const LookupOptions& options) {
  const ProjectBoundary boundary = options.boundary();
  if (const std::optional<Error> missing = missing_interpreter(program, options, boundary)) return *missing;
  ServerCommand command;
  command.program = program.string();
  command.display =
      fmt::format("{}{}{}", program.string(), arguments.empty() ? "" : " ", fmt::join(arguments, " "));
  command.arguments = std::move(arguments);
  if (!options.trust_project) {
    command.environment = untrusted_environment(spec, options, boundary);
    command.inherited_environment = allowed_environment(options.environment, boundary);
  }
  if (spec == nullptr) return command;

  if (!options.trust_project && !spec->runs_of_project.empty()) {
    return Error{
        fmt::format("cannot start the server {}: it runs {}, and nothing in a project is run unless it is "
                    "trusted",
                    spec->name, spec->runs_of_project),
        "pass --trust-project if you trust it"};
  }
  command.wait_for_progress = spec->wait_for_progress;
  command.answers_at_once = spec->answers_at_once;
  command.told_of_changes = spec->told_of_changes;
  command.files_found_logs = spec->files_found_logs;
  command.initialization_options = spec->initialization_options;
  if (spec->kind == ServerKind::typescript_language_server) {
    const Result<std::string> tsserver = tsserver_options(program, options, boundary);
    if (!tsserver) return tsserver.error();
    command.initialization_options = overlay_json(*tsserver, spec->initialization_options);
  }
  if (!options.trust_project)
    command.initialization_options = overlay_json(command.initialization_options, spec->untrusted_options);
  if (spec->kind == ServerKind::native_typescript && interpreter_of(program).empty()) {
    // It starts `npm install types-registry` whatever its client's settings, which outlives it and downloads
    // into ~/.cache. It needs no other program, so it gets an empty PATH and cannot find npm.
    std::erase_if(command.environment,
                  [](const std::string& variable) { return variable.starts_with("PATH="); });
    command.environment.push_back("PATH=");
  }
  return command;
}

ServerSearch find_server(const ServerSpec& spec, const LookupOptions& options) {
  const ProjectBoundary boundary = options.boundary();
  Lookup lookup = look_up(spec, options, boundary);
  if (lookup.program.empty())
    return {not_found(spec, lookup, options), lookup.forbidden.empty() && lookup.unusable.empty()};
  return {command_of_program(lookup.program, std::move(lookup.arguments), &spec, options)};
}

ServerSearch find_installed(ServerSpec spec, const LookupOptions& options) {
  spec.runs_of_project.clear();
  return find_server(spec, options);
}

Result<FoundServer> find_server_for_file(const ServerRegistry& registry, const fs::path& file,
                                         std::string_view first_line, const LookupOptions& options) {
  std::optional<ServerSearch> failed;
  for (const ServerSpec* spec : registry.candidates(file, first_line)) {
    ServerSearch next = find_server(*spec, options);
    if (next.command) return FoundServer{spec, std::move(*next.command)};
    // The preferred server's error, unless it is missing and another one is here that only cannot be run.
    if (!failed || (failed->is_missing && !next.is_missing)) failed = std::move(next);
  }
  if (failed) return failed->command.error();
  return Error{fmt::format("cannot answer for {}: no language server is known for such files", file.string()),
               "name one with --server, or add it to symbols/servers.json in your configuration folder"};
}

}  // namespace symbols::servers
