#include "proxy/index/compile_commands.h"

#include <array>
#include <set>
#include <string_view>

#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/compile_flags.h"
#include "proxy/servers/filtered_database.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;

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
  constexpr std::array<std::string_view, 4> flags{"-iquote", "-I", "-isystem",
                                                  "-idirafter"};  // in this order
  std::array<std::vector<std::string>, flags.size()> of_flag;
  IncludeFolders found;
  found.directory = directory.string();
  const auto absolute = [&](std::string_view path) { return (directory / path).lexically_normal().string(); };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // `-include-pch` is another flag, not `-include` with a name joined to it.
    if (arguments[i] == "-include" && i + 1 < arguments.size()) {
      found.forced.push_back(arguments[++i]);
      continue;
    }
    for (std::size_t flag = 0; flag < flags.size(); ++flag) {
      const std::string_view folder = value_of_flag(arguments, i, flags[flag]);
      if (folder.empty()) continue;
      of_flag[flag].push_back(absolute(folder));
      break;
    }
  }
  found.quoted = std::move(of_flag[0]);
  for (std::size_t flag = 1; flag < flags.size(); ++flag)
    found.folders.insert(found.folders.end(), of_flag[flag].begin(), of_flag[flag].end());
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
  std::set<std::string> folders;
  other_.includes.is_guess = true;
  for (const rapidjson::Value& entry : document->GetArray()) {
    const std::string named = lsp::text_member(entry, "file");
    if (named.empty()) continue;
    const fs::path directory = folder / lsp::text_member(entry, "directory");
    const std::vector<std::string> words = servers::words_of_entry(entry);
    CompileCommand command{.hash = {}, .includes = include_folders(words, directory)};
    files::PartsHash hash(root_);
    hash.add(directory.string()).add(named);
    for (const std::string& word : words) hash.add(word);
    command.hash = hash.value();
    for (const std::string& forced : command.includes.forced) {
      if (folders.insert("-include " + forced).second) other_.includes.forced.push_back(forced);
    }
    other_.includes.directory = command.includes.directory;
    for (const auto* some : {&command.includes.quoted, &command.includes.folders}) {
      for (const std::string& include : *some) {
        if (folders.insert(include).second) other_.includes.folders.push_back(include);
      }
    }
    // clangd takes the first of several entries for one file.
    entries_.emplace((directory / named).lexically_normal().string(), std::move(command));
  }
}

const CompileCommand& CompileCommands::of(const std::string& path) const {
  const auto entry = entries_.find(path);
  return entry == entries_.end() ? other_ : entry->second;
}

}  // namespace symbols::index
