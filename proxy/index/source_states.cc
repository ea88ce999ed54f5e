#include "proxy/index/source_states.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/compile_flags.h"
#include "proxy/servers/filtered_database.h"

namespace symbols::index {

namespace fs = std::filesystem;

namespace {

// The value of `flag` at `arguments[i]`, joined to it or in the next word, which is then skipped. Empty for
// any other flag.
std::string_view value_of_flag(const std::vector<std::string>& arguments, std::size_t& i,
                               std::string_view flag) {
  const std::string_view word = arguments[i];
  if (!word.starts_with(flag)) return {};
  if (word.size() > flag.size()) return word.substr(flag.size());
  return i + 1 < arguments.size() ? std::string_view(arguments[++i]) : std::string_view();
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
  for (const std::string_view name : state->includes)
    resolve(name.substr(1), beside, folders, known->second);
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

}  // namespace symbols::index
