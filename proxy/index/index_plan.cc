#include "proxy/index/index_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "lsp/json/json_document.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/clangd_settings.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/filtered_database.h"
#include "proxy/servers/program_search.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

// The value of `flag` at `arguments[i]`, joined to it or in the next word, which is skipped; else empty.
std::string_view value_of_flag(const std::vector<std::string>& arguments, std::size_t& i,
                               std::string_view flag) {
  const std::string_view word = arguments[i];
  if (!word.starts_with(flag)) return {};
  if (word.size() > flag.size()) return word.substr(flag.size());
  return i + 1 < arguments.size() ? std::string_view(arguments[++i]) : std::string_view();
}

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

constexpr std::string_view path_variable = "PATH=";

// Programs by which servers find headers and libraries. PATH does not count: shells and machines differ.
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

IncludeFolders include_folders(const std::vector<std::string>& arguments, const fs::path& directory) {
  IncludeFolders found{.folders = {directory.string()}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // `-include-pch` is another flag, not `-include` with a name joined to it.
    if (arguments[i] == "-include" && i + 1 < arguments.size()) {
      found.forced.insert(arguments[++i]);
      continue;
    }
    for (const std::string_view flag : {"-iquote", "-I", "-isystem", "-idirafter"}) {
      const std::string_view folder = value_of_flag(arguments, i, flag);
      if (folder.empty()) continue;
      found.folders.insert((directory / folder).lexically_normal().string());
      break;
    }
  }
  return found;
}

CompileCommands::CompileCommands(const fs::path& database, std::string root) : root_(std::move(root)) {
  const Result<std::string> text = files::read_regular_file(database.string(), servers::max_database);
  if (!text) return;
  other_.hash = files::PartsHash(root_).add(*text).value();
  if (database.filename() == servers::flags_file) {
    other_.includes = include_folders(servers::flags_in_lines(*text), database.parent_path());
  } else {
    read_entries(servers::in_this_checkout(*text, root_), database.parent_path());
  }
}

void CompileCommands::read_entries(const std::string& json, const fs::path& folder) {
  const Result<rapidjson::Document> document = lsp::parse_json(json);
  if (!document || !document->IsArray()) return;
  for (const rapidjson::Value& entry : document->GetArray()) {
    const std::string named = lsp::text_member(entry, "file");
    if (named.empty()) continue;
    const fs::path directory = folder / lsp::text_member(entry, "directory");
    const std::vector<std::string> words = servers::words_of_entry(entry);
    CompileCommand command{.includes = include_folders(words, directory)};
    files::PartsHash hash(root_);
    hash.add(directory.string()).add(named);
    for (const std::string& word : words) hash.add(word);
    command.hash = hash.value();
    other_.includes.folders.insert(command.includes.folders.begin(), command.includes.folders.end());
    other_.includes.forced.insert(command.includes.forced.begin(), command.includes.forced.end());
    // clangd takes the first of several entries for one file.
    entries_.emplace((directory / named).lexically_normal().string(), std::move(command));
  }
}

const CompileCommand& CompileCommands::of(const std::string& path) const {
  const auto entry = entries_.find(path);
  return entry == entries_.end() ? other_ : entry->second;
}

SourceStates::SourceStates(fs::path root, std::map<std::string, SourceState> known)
    : root_(std::move(root)), known_(std::move(known)) {}

const SourceState* SourceStates::find(const std::string& path) {
  const auto [looked, is_new] = looked_.try_emplace(path);
  std::optional<SourceState>& state = looked->second;
  if (is_new) {
    const auto known = known_.find(path);
    state = look(path, known == known_.end() ? SourceState() : known->second);
    if (state && (known == known_.end() || known->second != *state)) changed_[path] = *state;
  }
  return state ? &*state : nullptr;
}

std::optional<SourceState> SourceStates::look(const std::string& path, const SourceState& known) const {
  const std::string file = (root_ / path).string();
  const std::int64_t moment = files::file_clock_now();
  const std::optional<files::FileStamp> stamp = files::FileStamp::of(file);
  if (!stamp) return {};
  if (known.stamp == stamp) return known;
  SourceState state;
  if (path.starts_with('/')) {
    const std::optional<files::ContentHash> content = files::hash_of_file(file);
    if (!content) return {};
    state.content = *content;
  } else {
    const Result<std::string> text = files::read_regular_file(file, files::max_source_bytes);
    if (!text) return {};
    state.content = files::hash_of(*text);
    state.includes = files::include_names(*text);
  }
  // The stamp of before the reading: a change since then gives another one.
  if (!stamp->may_change_unseen(moment)) state.stamp = stamp;
  return state;
}

bool SourceStates::is_unchanged(const std::string& path) const {
  const auto looked = looked_.find(path);
  if (looked == looked_.end() || !looked->second) return false;
  return KeptContent{looked->second->content, looked->second->stamp}.is_of((root_ / path).string());
}

std::vector<std::string> SourceStates::included_by(const std::string& path, const IncludeFolders& folders) {
  Included& included = included_[folders];
  std::set<std::string> seen;
  std::vector<std::string> left{path};
  for (const std::string& forced : folders.forced) resolve(forced, root_, folders, left);
  seen.insert(left.begin() + 1, left.end());
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    for (const std::string& name : direct(file, folders, included)) {
      if (seen.insert(name).second) left.push_back(name);
    }
  }
  seen.erase(path);
  return {seen.begin(), seen.end()};
}

const std::vector<std::string>& SourceStates::direct(const std::string& path, const IncludeFolders& folders,
                                                     Included& included) {
  const auto [known, is_new] = included.try_emplace(path);
  if (!is_new) return known->second;
  const SourceState* state = find(path);
  if (state == nullptr) return known->second;
  const fs::path beside = (root_ / path).parent_path();
  for (const std::string_view name : state->includes) resolve(name.substr(1), beside, folders, known->second);
  return known->second;
}

void SourceStates::resolve(std::string_view name, const fs::path& beside, const IncludeFolders& folders,
                           std::vector<std::string>& found) {
  const std::string inside = (root_ / "").string();
  const auto look_in = [&](const fs::path& folder) {
    const std::string file = (folder / name).lexically_normal().string();
    if (!file.starts_with(inside)) return;
    const auto [known, is_new] = exists_.try_emplace(file);
    if (is_new) known->second = files::FileStamp::of(file).has_value();
    if (known->second) found.push_back(file.substr(inside.size()));
  };
  look_in(beside);
  look_in(root_);
  for (const std::string& folder : folders.folders) look_in(folder);
}

IndexPlan::IndexPlan(fs::path root, const servers::ServerRegistry& registry, std::string version,
                     std::map<std::string, SourceState> sources)
    : root_(std::move(root)),
      registry_(registry),
      version_(std::move(version)),
      sources_(root_, std::move(sources)) {}

Result<FileState> IndexPlan::state_of(const engine::DocumentJob& job) {
  const fs::path path = job.path;
  if (!files::contains(root_, path)) {
    return Error{fmt::format("{} is not in the project {}", table::quoted(job.display_path),
                             table::quoted(root_.string())),
                 "give a --root above it"};
  }
  FileState state{.path = path.lexically_relative(root_).string()};
  const servers::ServerSpec* spec = registry_.by_name(job.server.name);
  const bool compiles = spec != nullptr && (spec->kind == servers::ServerKind::clangd ||
                                            spec->kind == servers::ServerKind::ccls);
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

files::ContentHash IndexPlan::server_hash(const engine::ServerLaunch& server, bool compiles) {
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

const CompileCommands& IndexPlan::commands_for(const std::string& path, const engine::ServerLaunch& server) {
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
      const servers::CompilationDatabase chosen = servers::compilation_database_of(path);
      // If clangd's settings are not understood, changes of the nearest database are still seen.
      database = chosen.is_unclear ? servers::nearest_database(path) : chosen.file;
    }
  }
  const auto [commands, is_new_database] = commands_.try_emplace(database);
  if (is_new_database && !database.empty()) commands->second = CompileCommands(database, root_.string());
  return commands->second;
}

}  // namespace symbols::index
