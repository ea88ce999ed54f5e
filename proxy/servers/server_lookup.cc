#include "proxy/servers/server_lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lsp/json/json.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/npm_package.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/trust_boundary.h"
#include "proxy/system/introspection.h"

namespace symbols::servers {
namespace {

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
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

// The user's default toolchain, by settings.toml (or the one in /etc, rustup's fallback): a name such as
// "stable-x86_64-unknown-linux-gnu". Empty if there is none.
std::string default_rustup_toolchain(const fs::path& rustup_home) {
  constexpr std::size_t max_settings = std::size_t{1} << 20;
  for (const fs::path& folder : {rustup_home, fs::path("/etc/rustup")}) {
    if (folder.empty()) continue;
    const Result<std::string> toml =
        files::read_regular_file((folder / "settings.toml").string(), max_settings);
    static const re2::RE2 setting(R"re((?m)^default_toolchain\s*=\s*["']([^"']+)["'])re");
    if (std::string name; toml && re2::RE2::PartialMatch(*toml, setting, &name)) return name;
  }
  return {};
}

// rustup puts proxies on the PATH: links to itself called rust-analyzer, cargo, rustc. They run the program
// of the toolchain that the project's rust-toolchain.toml names, even one inside the project, and exist even
// for programs that are not installed. Why such a proxy would fail; none for any other program.
std::optional<Error> missing_rustup_component(const fs::path& program, const LookupOptions& options) {
  std::error_code error;
  if (options.trust_project || fs::canonical(program, error).filename() != "rustup") return {};
  const std::string toolchain = options.rustup_toolchain.empty()
                                    ? default_rustup_toolchain(options.rustup_home)
                                    : options.rustup_toolchain;
  const std::string name = program.filename().string();
  if (toolchain.empty()) return {};
  // A short name, "stable", means the toolchain whose folder's name continues with this machine's target.
  for (fs::directory_iterator entry(options.rustup_home / "toolchains", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string folder = entry->path().filename().string();
    if ((folder + "-").starts_with(toolchain + "-") && is_program(entry->path() / "bin" / name)) return {};
  }
  return Error{
      fmt::format("{} is a rustup proxy, and the toolchain {} has no {}", program.string(), toolchain, name),
      fmt::format("install it: rustup component add {}", name)};
}

// The search for one server's program.
class ProgramLookup {
 public:
  ProgramLookup(const ServerSpec& spec, const LookupOptions& options) : spec_(spec), options_(options) {}

  ServerSearch find() {
    const bool is_found =
        is_found_as(ServerKind::native_typescript)
            ? find_typescript()
            : std::ranges::any_of(spec_.commands, [this](const auto& command) { return find(command); });
    if (is_found) return {command_of_program(program_, std::move(arguments_), &spec_, options_)};
    return {why_not_found(), forbidden_.empty() && !unusable_};
  }

 private:
  bool is_found_as(ServerKind kind) const { return spec_.kind == kind && !spec_.command_from_user; }

  bool find_typescript() {
    NativeTypescript native = find_native_typescript(options_.path, options_.own_installs, boundary_);
    program_ = native.program;
    arguments_.assign(spec_.commands.front().begin() + 1, spec_.commands.front().end());
    forbidden_ = std::move(native.forbidden);
    if (!native.broken.empty()) unusable_ = Error{native.broken, "install it again" + way_to_install()};
    return !program_.empty();
  }

  bool find(const std::vector<std::string>& command) {
    const std::string& name = command.front();
    ProgramSearch search = is_found_as(ServerKind::clangd) ? find_clangds(options_.path, boundary_)
                                                           : find_programs(name, options_.path, boundary_);
    forbidden_.insert(forbidden_.end(), search.forbidden.begin(), search.forbidden.end());
    for (const fs::path& install : options_.own_installs) {
      fs::path program = install / "node_modules" / ".bin" / name;
      if (name.front() != '/' && is_program(program)) search.found.push_back(std::move(program));
    }
    for (const fs::path& program : search.found) {
      std::optional<Error> fault = missing_interpreter(program, options_, boundary_);
      if (!fault) fault = missing_rustup_component(program, options_);
      if (!fault) {
        program_ = program;
        arguments_.assign(command.begin() + 1, command.end());
        return true;
      }
      if (!unusable_) unusable_ = std::move(fault);
    }
    return false;
  }

  // What follows "install it": ": npm install -g pyright", ", see https://…".
  std::string way_to_install() const {
    if (spec_.install.empty()) return {};
    return (spec_.install.starts_with("see ") ? ", " : ": ") + spec_.install;
  }

  Error why_not_found() const {
    if (unusable_)
      return {fmt::format("cannot start the server {}: {}", spec_.name, unusable_->message),
              unusable_->advice};
    if (!forbidden_.empty())
      return in_project(spec_.name, forbidden_.front(), options_, "install it elsewhere" + way_to_install());
    std::vector<std::string> names;
    for (const std::vector<std::string>& command : spec_.commands) names.push_back(command.front());
    if (is_found_as(ServerKind::native_typescript)) names = {"tsc of TypeScript 7 or later"};
    return {fmt::format("cannot find the server {}: there is no {} on the PATH", spec_.name,
                        fmt::join(names, " or ")),
            "install it" + way_to_install()};
  }

  const ServerSpec& spec_;
  const LookupOptions& options_;
  ProjectBoundary boundary_ = options_.boundary();
  fs::path program_;
  std::vector<std::string> arguments_;
  std::vector<fs::path> forbidden_;  // skipped because they are in the project
  std::optional<Error> unusable_;    // the first skipped for another reason
};

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
  options.environment = system::own_environment();
  options.rustup_home = environment_variable("RUSTUP_HOME");
  if (options.rustup_home.is_relative() || boundary.forbids(options.rustup_home))
    options.rustup_home = fs::path(environment_variable("HOME")) / ".rustup";
  if (options.rustup_home.is_relative() || boundary.forbids(options.rustup_home)) options.rustup_home.clear();

  std::error_code error;
  options.working_folder = files::working_folder();
  OwnInstalls installs =
      find_own_installs(environment_variable("SYMBOLS_SERVERS_DIR"), environment_variable("HOME"),
                        system::own_program(error), boundary);
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
  command.versioned_diagnostics = spec->versioned_diagnostics;
  command.answers_at_once = spec->answers_at_once;
  command.told_of_changes = spec->told_of_changes;
  command.files_found_logs = spec->files_found_logs;
  command.kept_caches = spec->kept_caches;
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
  return ProgramLookup(spec, options).find();
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
