#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/json/json_document.h"
#include "proxy/servers/mention_search.h"
#include "proxy/servers/mentions.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

struct Package {
  std::string name;
  std::set<std::string> needs;
  std::set<std::string> installed;  // those of them that an installation for developers has
};

bool is_source(const fs::path& file) {
  constexpr std::array<string_view, 8> extensions{".ts", ".tsx", ".mts", ".cts",
                                                  ".js", ".jsx", ".mjs", ".cjs"};
  return std::ranges::count(extensions, file.extension().string()) > 0;
}

// With code in them that TypeScript's servers do not read.
bool is_component(const fs::path& file) {
  constexpr std::array<string_view, 4> extensions{".vue", ".svelte", ".astro", ".mdx"};
  return std::ranges::count(extensions, file.extension().string()) > 0;
}

bool is_configuration(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "tsconfig.json" || name == "jsconfig.json";
}

Package read_package(const std::string& path, MentionReader& reader) {
  const Result<rapidjson::Document> document = lsp::parse_json(reader.read(path, max_manifest));
  if (!document || !document->IsObject()) return {};
  Package package{lsp::text_member(*document, "name"), {}, {}};
  const auto add = [&document](std::set<std::string>& names, const char* kind) {
    const auto needed = document->FindMember(kind);
    if (needed == document->MemberEnd() || !needed->value.IsObject()) return;
    for (const auto& member : needed->value.GetObject())
      names.emplace(member.name.GetString(), member.name.GetStringLength());
  };
  add(package.installed, "dependencies");
  add(package.installed, "devDependencies");
  package.needs = package.installed;
  add(package.needs, "peerDependencies");
  add(package.needs, "optionalDependencies");
  return package;
}

// Whether something that the package in `folder` needs is not installed: names from there mean nothing then.
bool lacks_packages(const fs::path& folder, const Package& package) {
  const auto is_missing = [&folder](const std::string& name) {
    std::error_code ignored;
    for (fs::path above = folder; above.has_relative_path(); above = above.parent_path()) {
      if (fs::exists(above / "node_modules" / name, ignored)) return false;
    }
    return true;
  };
  return std::ranges::any_of(package.installed, is_missing);
}

std::ptrdiff_t common_components(const fs::path& one, const fs::path& other) {
  return std::distance(one.begin(), std::ranges::mismatch(one, other).in1);
}

// `names` of packages, and those that depend on one of them, directly or not: `most` of them.
std::set<std::string> with_dependents(const std::map<fs::path, Package>& packages,
                                      std::set<std::string> names, std::size_t most) {
  std::multimap<string_view, string_view> users;
  for (const auto& [folder, package] : packages) {
    for (const std::string& needed : package.needs) users.emplace(needed, package.name);
  }
  for (std::vector<std::string> next(names.begin(), names.end()); !next.empty();) {
    const std::string one = std::move(next.back());
    next.pop_back();
    const auto [begin, end] = users.equal_range(one);
    for (auto user = begin; user != end && names.size() < most; ++user) {
      if (!user->second.empty() && names.emplace(user->second).second) next.emplace_back(user->second);
    }
  }
  names.erase("");
  return names;
}

// Where other files may come to call it otherwise: exported as default, as the whole module, or by another
// name.
std::string renaming_of(string_view name) {
  const std::string word = RE2::QuoteMeta(name) + R"((?:$|[^\w$]))";
  return R"((?:export\s+default\s+(?:abstract\s+|async\s+)*(?:class\s+|interface\s+|function\s*\*?\s*)?)"
         R"(|exports?[.\w]*\s*=\s*|import\s+[\w$]+\s*=\s*[\w$.]*\.))" +
         word + R"(|(?:import|export)\s[^{};='"]*\{(?:[^}]*[^\w$}])?)" + RE2::QuoteMeta(name) + R"(\s+as\s)";
}

}  // namespace

Mentions typescript_mentions(const fs::path& file, string_view name, const fs::path& workspace,
                             const MentionLimits& limits) {
  const Result<files::FoundFiles> found = find_mention_files(
      workspace,
      [](const fs::path& path) {
        return is_source(path) || is_component(path) || is_configuration(path) ||
               path.filename() == "package.json";
      },
      limits);
  if (!found) return {.are_all = false};

  std::map<fs::path, Package> packages;
  std::set<fs::path> configured;
  std::vector<fs::path> sources;
  MentionReader reader(limits.bytes);
  for (const std::string& path : found->files) {
    if (is_source(path) || is_component(path)) sources.emplace_back(path);
    if (is_configuration(path)) configured.insert(fs::path(path).parent_path());
    if (fs::path(path).filename() == "package.json")
      packages.emplace(fs::path(path).parent_path(), read_package(path, reader));
  }
  const auto own = nearest(packages, file);
  std::set<std::string> names;
  std::set<std::string> incomplete;  // of these, those with something missing in them or in what they need
  std::string own_folder;
  if (own != packages.end()) {
    names = with_dependents(packages, {own->second.name}, limits.packages);
    names.erase("");
    for (const auto& [folder, package] : packages) {
      if (names.contains(package.name) && lacks_packages(folder, package)) incomplete.insert(package.name);
    }
    incomplete = with_dependents(packages, std::move(incomplete), limits.packages);
    own_folder = "/" + own->first.filename().string() + "/";
  }
  enum class Use { none, possible, known };  // of the file's package
  const auto use_in = [&](const fs::path& source, const std::string& text) {
    const auto package = nearest(packages, source);
    if (package == own) return Use::known;
    if (package != packages.end() && names.contains(package->second.name))
      return incomplete.contains(package->second.name) ? Use::possible : Use::known;
    const bool mentions_one =
        own_folder.empty() || text.find(own_folder) != text.npos ||
        std::ranges::any_of(names, [&](const auto& one) { return text.find(one) != text.npos; });
    return mentions_one ? Use::possible : Use::none;
  };
  // A project's files are chosen by its configuration, most often by the folder below it.
  const auto project_of = [&](const fs::path& source) {
    const auto folder = nearest(configured, source);
    const fs::path base = folder == configured.end() ? workspace : *folder;
    const fs::path way = source.lexically_relative(base);
    return std::pair(base, way.has_parent_path() ? *way.begin() : fs::path());
  };
  // The nearest first: packages before the examples beside them.
  std::ranges::stable_sort(sources, std::ranges::greater(),
                           [&](const fs::path& source) { return common_components(source, file); });
  Mentions result{.are_all = names.size() < limits.packages &&
                             (own == packages.end() || !lacks_packages(own->first, own->second))};
  const RE2 renaming(renaming_of(name));
  std::set<std::pair<fs::path, fs::path>> opened{project_of(file)};
  std::vector<std::string> more;
  for (const fs::path& source : sources) {
    const std::string text = reader.read(source.string(), max_source);
    const Use use = mentions(text, name) ? use_in(source, text) : Use::none;
    if (use == Use::none) continue;
    if (RE2::PartialMatch(text, renaming)) result.are_all = false;
    if (source == file) continue;
    if (use == Use::possible || is_component(source)) result.others.push_back(source.string());
    if (is_component(source)) continue;
    if (result.to_open.size() < limits.opened && opened.insert(project_of(source)).second) {
      result.to_open.push_back(source.string());
    } else {
      more.push_back(source.string());
    }
  }
  if (reader.has_missed()) result.are_all = false;
  const std::size_t room = std::min(limits.opened - result.to_open.size(), more.size());
  const auto middle = more.begin() + static_cast<std::ptrdiff_t>(room);
  result.to_open.insert(result.to_open.end(), more.begin(), middle);
  result.others.insert(result.others.end(), middle, more.end());
  return result;
}

}  // namespace symbols::servers
