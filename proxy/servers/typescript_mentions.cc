#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/split.h"
#include "lsp/json/json_document.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/mention_search.h"
#include "proxy/servers/mentions.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

struct Package {
  std::string name;
  std::set<std::string> needs;
};

// With code in them that TypeScript's servers do not read.
bool is_component(const fs::path& file) {
  return is_among(file.extension().string(), ".vue .svelte .astro .mdx");
}

bool is_source(const fs::path& file) {
  return files::language_of(file.native()) == files::Language::script || is_component(file);
}

bool is_configuration(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "tsconfig.json" || name == "jsconfig.json";
}

// A name that npm does not allow counts as none.
Package read_package(const std::string& path, MentionSearch& search) {
  const Result<rapidjson::Document> document = lsp::parse_json(search.read(path, max_manifest));
  if (!document || !document->IsObject()) return {};
  Package package{lsp::text_member(*document, "name"), {}};
  if (package.name.size() > max_name) package.name.clear();
  for (const char* const kind :
       {"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}) {
    const auto needed = document->FindMember(kind);
    if (needed == document->MemberEnd() || !needed->value.IsObject()) continue;
    for (const auto& member : needed->value.GetObject())
      package.needs.emplace(member.name.GetString(), member.name.GetStringLength());
  }
  return package;
}

std::ptrdiff_t common_components(const fs::path& one, const fs::path& other) {
  return std::distance(one.begin(), std::ranges::mismatch(one, other).in1);
}

// The names of the package and of those that depend on it, directly or not: `most` of them.
std::set<std::string> with_dependents(const std::map<fs::path, Package>& packages, const std::string& name,
                                      std::size_t most) {
  std::multimap<string_view, string_view> users;
  for (const auto& [folder, package] : packages) {
    for (const std::string& needed : package.needs) users.emplace(needed, package.name);
  }
  std::set<std::string> names{name};
  for (std::vector<std::string> next{name}; !next.empty();) {
    const std::string one = std::move(next.back());
    next.pop_back();
    const auto [begin, end] = users.equal_range(one);
    for (auto user = begin; user != end && names.size() < most; ++user) {
      if (!user->second.empty() && names.emplace(user->second).second) next.emplace_back(user->second);
    }
  }
  return names;
}

// Where other files may come to call it otherwise: exported as default, as the whole module, or by another
// name.
std::string renaming_of(string_view name) {
  const std::string word = RE2::QuoteMeta(name) + R"((?:$|[^\w$]))";
  return R"((?:export\s+default\s+(?:abstract\s+|async\s+)*(?:class\s+|interface\s+|function\s*\*?\s*)?)"
         R"(|exports?[.\w]*\s*=\s*|import\s+[\w$]+\s*=\s*[\w$.]*\.))" +
         word + R"(|(?:import|export)\b[^{};='"]*\{(?:[^}]*[^\w$}])?)" + RE2::QuoteMeta(name) + R"(\s+as\s)";
}

// Servers differ in whether the names in these are references.
std::string without_imports(std::string text) {
  static const RE2 imports(
      R"((?:import|export)\s*(?:type\s*)?(?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?|[\w$]+)\s*from\b)");
  RE2::GlobalReplace(&text, imports, "");
  return text;
}

}  // namespace

Mentions typescript_mentions(const fs::path& file, string_view name, const fs::path& root,
                             const MentionLimits& limits) {
  if (name.size() > max_name) return {.are_all = false};
  MentionSearch search(
      root,
      [](const fs::path& path) {
        return is_source(path) || is_configuration(path) || path.filename() == "package.json";
      },
      limits);
  std::map<fs::path, Package> packages;
  std::set<fs::path> configured;
  std::vector<fs::path> sources;
  for (const std::string& path : search.files()) {
    if (is_source(path)) sources.emplace_back(path);
    if (is_configuration(path)) configured.insert(fs::path(path).parent_path());
    if (fs::path(path).filename() == "package.json")
      packages.emplace(fs::path(path).parent_path(), read_package(path, search));
  }
  const auto own = nearest(packages, file);
  const std::set<std::string> names = own == packages.end()
                                          ? std::set<std::string>{}
                                          : with_dependents(packages, own->second.name, limits.packages);
  const auto may_use_own = [&](const fs::path& source) {
    const auto package = nearest(packages, source);
    return package == own || (package != packages.end() && names.contains(package->second.name));
  };
  // A project's files are chosen by its configuration, most often by the folder below it.
  const auto project_of = [&](const fs::path& source) {
    const auto folder = nearest(configured, source);
    const fs::path base = folder == configured.end() ? root : *folder;
    const fs::path way = source.lexically_relative(base);
    return std::pair(base, way.has_parent_path() ? *way.begin() : fs::path());
  };
  // The nearest first: packages before the examples beside them.
  std::ranges::stable_sort(sources, std::ranges::greater(),
                           [&](const fs::path& source) { return common_components(source, file); });
  Mentions result;
  const RE2 renaming(renaming_of(name));
  std::set<std::pair<fs::path, fs::path>> opened{project_of(file)};
  std::vector<std::string> more;
  for (const fs::path& source : sources) {
    const std::string text = search.read(source.string());
    if (!mentions(text, name)) continue;
    if (RE2::PartialMatch(text, renaming)) result.are_all = false;
    if (source == file) continue;
    if (mentions(without_imports(text), name)) result.to_find.push_back(source.string());
    if (is_component(source) || !may_use_own(source)) continue;
    if (result.to_open.size() < limits.opened && opened.insert(project_of(source)).second) {
      result.to_open.push_back(source.string());
    } else {
      more.push_back(source.string());
    }
  }
  more.resize(std::min(more.size(), limits.opened - result.to_open.size()));
  result.to_open.insert(result.to_open.end(), more.begin(), more.end());
  if (!search.saw_all()) result.are_all = false;
  return result;
}

}  // namespace symbols::servers
