#include "proxy/index/index_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/clangd_settings.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/program_search.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

// The absolute paths in a text of JSON or a list of arguments: `"/usr/lib/tsserver.js"`, `--tsserver=/a/b`.
std::vector<std::string> absolute_paths(std::string_view text) {
  std::vector<std::string> paths;
  for (std::size_t at = text.find('/'); at != text.npos; at = text.find('/', at)) {
    const std::size_t end = std::min(text.find_first_of("\"' ,;", at), text.size());
    if (at == 0 || text[at - 1] == '"' || text[at - 1] == '=') paths.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return paths;
}

bool reads_compile_commands(const servers::ServerSpec* spec) {
  return spec != nullptr &&
         (spec->kind == servers::ServerKind::clangd || spec->kind == servers::ServerKind::ccls);
}

constexpr std::string_view path_variable = "PATH=";

// Programs by which a server finds headers and libraries. The PATH itself does not count: it differs between
// shells and machines.
constexpr std::string_view compilers[] = {"cc", "c++", "gcc", "g++", "clang", "clang++"};
constexpr std::string_view interpreters[] = {"python", "python3", "go", "rustc", "cargo", "node", "java"};

// Of a settings file; the same for all that cannot be read.
files::ContentHash file_hash(const fs::path& file) {
  constexpr std::size_t max_settings = std::size_t{16} << 20;
  return files::hash_of_file(file.string(), max_settings).value_or(files::ContentHash{});
}

std::string program_on(std::string_view path, std::string_view name) {
  const servers::ProgramSearch search =
      servers::find_programs(name, path, servers::ProjectBoundary({}, true));
  std::error_code failure;
  return search.found.empty() ? std::string() : fs::canonical(search.found.front(), failure).string();
}

}  // namespace

IndexPlan::IndexPlan(fs::path root, const servers::ServerRegistry& registry, std::string version,
                     std::map<std::string, SourceState> sources)
    : root_(std::move(root)),
      registry_(registry),
      version_(std::move(version)),
      sources_(root_, std::move(sources)) {}

Result<FileState> IndexPlan::state_of(const batch::DocumentJob& job) {
  const fs::path path = job.path;
  if (!files::contains(root_, path)) {
    return Error{fmt::format("{} is not in the project {}", table::quoted(job.display_path),
                             table::quoted(root_.string())),
                 "give a --root above it"};
  }
  FileState state{.path = path.lexically_relative(root_).string()};
  const servers::ServerSpec* spec = registry_.by_name(job.server.name);
  const bool compiles = reads_compile_commands(spec);
  const SourceState* source = sources_.find(state.path);
  if (source == nullptr) {
    const Result<std::string> text = files::read_regular_file(job.path, files::max_source_bytes);
    return text ? Error{fmt::format("cannot read {}", table::quoted(job.path)), "try again"} : text.error();
  }
  state.content = source->content;
  files::PartsHash hash(root_.string());
  hash.add(state.content).add(version_).add(server_hash(job.server, compiles)).add(job.root);
  hash.add(job.language_id).add(job.settings);
  if (compiles) {
    const CompileCommand& command = commands_for(job.path, job.server).of(job.path);
    // Without a database they are in the settings that are sent for the file, which are hashed above.
    const IncludeFolders folders =
        command.includes.folders.empty()
            ? include_folders(servers::flags_in_settings(job.settings), path.parent_path())
            : command.includes;
    hash.add(command.hash).add(markers_hash(path.parent_path(), {".clangd", ".ccls", servers::flags_file}));
    state.included = sources_.included_by(state.path, folders);
    for (const std::string& included : state.included) {
      const SourceState* header = sources_.find(included);
      hash.add(included).add(header == nullptr ? files::ContentHash{} : header->content);
    }
  } else if (spec != nullptr) {
    hash.add(markers_hash(path.parent_path(), spec->root_markers.project));
    hash.add(markers_hash(path.parent_path(), spec->root_markers.workspace));
  }
  state.fingerprint = hash.value();
  return {boost::system::in_place_value, std::move(state)};
}

bool IndexPlan::still_holds(const FileState& state) const {
  return sources_.is_unchanged(state.path) &&
         std::ranges::all_of(state.included,
                             [this](const std::string& path) { return sources_.is_unchanged(path); });
}

files::ContentHash IndexPlan::server_hash(const batch::ServerLaunch& server, bool compiles) {
  const auto [known, is_new] = servers_.try_emplace(server);
  if (!is_new) return known->second;
  const servers::ServerCommand& command = server.command;
  files::PartsHash hash(root_.string());
  hash.add(server.name).add(command.program).add(program_hash(command.program));
  if (compiles) hash.add(file_hash(servers::users_clangd_settings()));
  std::string texts = command.initialization_options;
  for (const std::string& argument : command.arguments) {
    hash.add(argument);
    texts += " =" + argument;
  }
  for (const std::string& variable : command.environment) {
    if (variable.starts_with(path_variable)) {
      const std::string_view path = std::string_view(variable).substr(path_variable.size());
      for (const std::string_view name :
           compiles ? std::span<const std::string_view>(compilers) : interpreters)
        hash.add(program_on(path, name));
    } else {
      hash.add(variable);
    }
  }
  hash.add(command.initialization_options).add(server.filtered_database.value_or("-"));
  // A script's own interpreter, and the TypeScript that a server is told to run.
  for (const std::string& path : absolute_paths(texts)) hash.add(program_hash(path));
  return known->second = hash.value();
}

// A server is not asked for its version, which may take as long as an answer: another version is another
// file, read again only if its stamp changed. For npm packages package.json has the version.
files::ContentHash IndexPlan::program_hash(const std::string& file) {
  std::error_code failure;
  const fs::path program = fs::canonical(file, failure);
  if (failure) return {};
  const SourceState* const state = sources_.find(program.string());
  if (state == nullptr) return {};
  files::PartsHash hash(root_.string());
  hash.add(program.string()).add(state->content);
  fs::path folder = program.parent_path();
  for (int i = 0; i < 3; ++i, folder = folder.parent_path()) hash.add(file_hash(folder / "package.json"));
  return hash.value();
}

files::ContentHash IndexPlan::markers_hash(const fs::path& folder, const std::vector<std::string>& markers) {
  const auto [known, is_new] = markers_.try_emplace({folder, markers});
  if (!is_new) return known->second;
  // The number of folders above without a marker depends on where the project lies.
  files::ContentHash above{};
  if (folder != folder.parent_path()) above = markers_hash(folder.parent_path(), markers);
  files::PartsHash hash;
  bool any = false;
  for (const std::string& marker : markers) {
    const files::ContentHash content = file_hash(folder / marker);
    any = any || content != files::ContentHash{};
    hash.add(content);
  }
  return markers_[{folder, markers}] = any ? hash.add(above).value() : above;
}

const CompileCommands& IndexPlan::commands_for(const std::string& path, const batch::ServerLaunch& server) {
  const std::vector<std::string>& arguments = server.command.arguments;
  const auto [known, is_new] = databases_.try_emplace({fs::path(path).parent_path(), arguments});
  fs::path& database = known->second;
  if (is_new) {
    database = server.filtered_database.value_or("");
    for (const std::string& argument : arguments) {
      constexpr std::string_view folder = "-compile-commands-dir=";
      if (const std::size_t at = argument.find(folder); at != argument.npos)
        database = fs::path(argument.substr(at + folder.size())) / servers::commands_file;
    }
    if (database.empty()) {
      const servers::CompilationDatabase chosen =
          servers::compilation_database_of(path, servers::users_clangd_settings());
      // If clangd's settings are not understood, changes of the nearest database are still seen.
      database = chosen.is_unclear ? servers::nearest_database(path) : chosen.file;
    }
  }
  const auto [commands, is_new_database] = commands_.try_emplace(database);
  if (is_new_database && !database.empty()) commands->second = CompileCommands(database, root_.string());
  return commands->second;
}

}  // namespace symbols::index
