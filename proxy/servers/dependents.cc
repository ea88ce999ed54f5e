#include <re2/re2.h>

#include <map>
#include <set>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/servers/source_search.h"

namespace symbols::servers {
namespace {

using std::string_view;

bool is_go(const fs::path& file) {
  return file.extension() == ".go";
}

// What is named by all scripts: the declarations of one without import and export hold in each of them.
constexpr string_view all_scripts = "*";

std::string up_to_dot(const fs::path& name) {
  const std::string whole = name.string();
  return whole.substr(0, whole.find('.', whole.starts_with('.') ? 1 : 0));
}

// The names by which others call a source (dependents()). `packages`: names of packages, by folder.
std::set<std::string> names_of(const fs::path& file, string_view text,
                               const std::map<fs::path, std::string>& packages) {
  const files::Language language = files::language_of(file.native());
  if (files::is_c(language)) return {file.filename().string()};
  const std::string stem = up_to_dot(file.filename());
  std::set<std::string> names;
  if (!is_go(file)) names.insert(stem);
  if (is_go(file) || is_among(stem, "index __init__ mod")) {
    names.insert({up_to_dot(file.parent_path().filename()), file.parent_path().string()});
    if (const auto package = nearest(packages, file); package != packages.end())
      names.insert(package->second);
  }
  if (language == files::Language::other) names.insert(file.parent_path().string());
  static const RE2 module(R"(\b(?:import|export|exports|require)\b)");
  const bool is_global = text.empty() ? file.native().ends_with(".d.ts")
                                      : !RE2::PartialMatch(text, module) || has_word(text, "global");
  if (is_script(file) && is_global) names.emplace(all_scripts);
  return names;
}

std::string name_in_package(const std::string& json) {
  const Result<rapidjson::Document> document = lsp::parse_json(json);
  return document && document->IsObject() ? std::string(lsp::text_member(*document, "name")) : std::string();
}

// The names of others in a source.
std::set<std::string> named_in(const fs::path& file, const std::string& text) {
  std::set<std::string> names;
  const files::Language language = files::language_of(file.native());
  if (files::is_c(language)) {
    for (const std::string& include : files::include_names(text))
      names.insert(fs::path(include.substr(1)).filename().string());
    return names;
  }
  static const RE2 quoted_path(R"(["'`]([^"'`\s]+)["'`])");
  static const RE2 import_of_python(
      R"((?m)^\s*((?:from\s+(\.+)\s+|from|import)\b(?:\\\r?\n|[^\n(])*(?:\([^)]*\))?))");
  if (is_script(file) || is_go(file)) {
    if (is_go(file)) names.insert(file.parent_path().string());
    if (is_script(file)) names.emplace(all_scripts);
    re2::StringPiece rest(text);
    for (std::string path; RE2::FindAndConsume(&rest, quoted_path, &path);) {
      const fs::path whole(trim(path, "/"));
      const fs::path last = whole.filename();
      names.insert(last == "." || last == ".." ? "index" : up_to_dot(last));
      // A major version ends the path of a Go module.
      if (is_go(file)) names.insert(up_to_dot(whole.parent_path().filename()));
    }
    return names;
  }
  const auto take = [&names](string_view word) { names.emplace(word); };
  if (language == files::Language::python) {
    re2::StringPiece rest(text);
    for (std::string import, dots; RE2::FindAndConsume(&rest, import_of_python, &import, &dots);) {
      for_each_word(import, take);
      fs::path folder = file;
      for (std::size_t i = 0; i < dots.size(); ++i) folder = folder.parent_path();
      if (!dots.empty()) names.insert(folder.string());
    }
    return names;
  }
  names.insert(file.parent_path().string());
  for_each_word(text, take);
  return names;
}

}  // namespace

Mentions dependents(const std::vector<std::string>& changed, const fs::path& root,
                    const std::function<bool(const fs::path&)>& known, const MentionLimits& limits) {
  SourceSearch search(
      root,
      [&known](const fs::path& path) {
        return known(path) || path.filename() == "package.json" || path.filename() == "go.mod";
      },
      limits);
  std::map<fs::path, std::string> packages;
  for (const std::string& path : search.files()) {
    const fs::path file(path);
    std::string name;
    if (file.filename() == "package.json") name = name_in_package(search.read(path));
    static const RE2 module(R"((?m)^module\s+(\S+))");
    if (file.filename() == "go.mod") RE2::PartialMatch(search.read(path), module, &name);
    if (!name.empty()) packages[file.parent_path()] = up_to_dot(fs::path(name).filename());
  }
  std::map<std::string, std::set<std::string>> names;
  std::map<std::string, std::vector<std::size_t>> users;  // places among the files
  for (std::size_t i = 0; i < search.files().size(); ++i) {
    const std::string& path = search.files()[i];
    if (!known(path)) continue;
    const std::string text = search.read(path);
    names[path] = names_of(path, text, packages);
    for (const std::string& name : named_in(path, text)) users[name].push_back(i);
  }
  Mentions result{.to_find = changed};
  std::set<std::string> seen(changed.begin(), changed.end());
  for (std::size_t i = 0; i < result.to_find.size(); ++i) {
    const std::string path = result.to_find[i];
    if (!names.contains(path)) names[path] = names_of(path, {}, packages);
    for (const std::string& name : names[path]) {
      for (const std::size_t user : std::exchange(users[name], {})) {
        const std::string& other = search.files()[user];
        if (seen.insert(other).second) result.to_find.push_back(other);
      }
    }
  }
  result.to_find.erase(result.to_find.begin(),
                       result.to_find.begin() + static_cast<std::ptrdiff_t>(changed.size()));
  result.are_all = search.saw_all();
  return result;
}

}  // namespace symbols::servers
