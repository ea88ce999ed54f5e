#include "proxy/servers/mentions.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "lsp/json/json_document.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/include_names.h"
#include "proxy/files/regular_file.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

constexpr std::size_t max_manifest = std::size_t{1} << 20;
constexpr std::size_t max_source = std::size_t{4} << 20;

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

bool continues_word(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool mentions(string_view text, string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !continues_word(text[at - 1])) && (end == text.size() || !continues_word(text[end])))
      return true;
  }
  return false;
}

// Reads files up to a number of bytes, and remembers whether that was all.
class Reader {
 public:
  explicit Reader(std::size_t most) : left_(most) {}

  // Empty where it cannot be read, or is too much.
  std::string read(const std::string& path, std::size_t most) {
    Result<std::string> text = files::read_regular_file(path, std::min(most, left_), files::Symlinks::refuse);
    if (!text) has_missed_ = true;
    if (!text) return {};
    left_ -= text->size();
    return *std::move(text);
  }
  bool has_missed() const { return has_missed_; }

 private:
  std::size_t left_;
  bool has_missed_ = false;
};

Package read_package(const std::string& path, Reader& reader) {
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

// The nearest of `folders` that has `file`; its end if none has.
template <class Folders>
auto nearest(const Folders& folders, const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (const auto found = folders.find(folder); found != folders.end()) return found;
  }
  return folders.end();
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

Result<files::FoundFiles> find_files(const fs::path& root, const files::KnownFile& known,
                                     const MentionLimits& limits) {
  if (root.empty()) return Error{};
  return files::find_source_files(
      root.string(), known,
      {.files = limits.files, .depth = files::FolderLimits().depth, .entries = limits.entries}, {},
      files::Symlinks::refuse);
}

// Where other files may come to call it otherwise: exported as default, as the whole module, or by another
// name.
std::string renaming_of(string_view name) {
  const std::string word = RE2::QuoteMeta(name) + R"((?:$|[^\w$]))";
  return R"((?:export\s+default\s+(?:abstract\s+|async\s+)*(?:class\s+|interface\s+|function\s*\*?\s*)?)"
         R"(|exports?[.\w]*\s*=\s*|import\s+[\w$]+\s*=\s*[\w$.]*\.))" +
         word + R"(|(?:import|export)\s[^{};='"]*\{(?:[^}]*[^\w$}])?)" + RE2::QuoteMeta(name) + R"(\s+as\s)";
}

// Whether `commands`, a compile_commands.json, seems to name the file, by its and its folder's name: with its
// path, or from its folder.
bool names_source(string_view commands, const fs::path& source) {
  const std::string folder = '/' + source.parent_path().filename().string();
  const std::string name = source.filename().string();
  const auto has = [&](const std::string& text) { return commands.find(text) != commands.npos; };
  return has(folder + '/' + name + '"') || (has('"' + name + '"') && has(folder + '"'));
}

// "a_windows.go" and "a_windows_test.go" are of one system or processor, by Go's list of them.
bool is_of_one_system(const fs::path& file) {
  static const RE2 names(
      "_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|"
      "windows|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)"
      R"((?:_test)?\.go$)");
  return RE2::PartialMatch(file.filename().string(), names);
}

}  // namespace

Mentions typescript_mentions(const fs::path& file, string_view name, const fs::path& workspace,
                             const MentionLimits& limits) {
  const Result<files::FoundFiles> found = find_files(
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
  Reader reader(limits.bytes);
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

Mentions cpp_mentions(const fs::path& file, string_view name, const fs::path& root, const fs::path& database,
                      const MentionLimits& limits) {
  const auto is_header = [](const fs::path& path) {
    constexpr std::array<string_view, 8> extensions{".h",   ".hh",  ".hpp", ".hxx",
                                                    ".inc", ".inl", ".ipp", ".tpp"};
    return std::ranges::count(extensions, path.extension().string()) > 0;
  };
  const Result<files::FoundFiles> found = find_files(
      root,
      [&is_header](const fs::path& path) {
        constexpr std::array<string_view, 7> extensions{".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".cu"};
        return is_header(path) || std::ranges::count(extensions, path.extension().string()) > 0;
      },
      limits);
  if (!found) return {.are_all = false};
  Reader reader(limits.bytes);
  const std::string commands = reader.read(database.string(), limits.bytes);
  std::set<std::string> with_name;
  std::multimap<std::string, std::vector<std::string>> headers;  // what those of a name include
  std::vector<std::string> included;                             // by what clangd knows; grows below
  const auto file_names = [](std::vector<std::string> includes) {
    for (std::string& include : includes) include = fs::path(include.substr(1)).filename().string();
    return includes;
  };
  std::set<std::string> known;  // names of headers
  Mentions result;
  for (const std::string& path : found->files) {
    const std::string text = reader.read(path, max_source);
    const fs::path source(path);
    const bool has_name = path != file && mentions(text, name);
    if (is_header(source)) {
      headers.emplace(source.filename().string(), file_names(files::include_names(text)));
      if (has_name) with_name.insert(path);
      continue;
    }
    if (names_source(commands, source)) {
      std::ranges::move(file_names(files::include_names(text)), std::back_inserter(included));
    } else if (has_name) {
      result.others.push_back(path);
    }
  }
  while (!included.empty()) {
    const std::string header = std::move(included.back());
    included.pop_back();
    if (!known.insert(header).second) continue;
    const auto [begin, end] = headers.equal_range(header);
    for (auto one = begin; one != end; ++one) std::ranges::copy(one->second, std::back_inserter(included));
  }
  for (const std::string& path : with_name) {
    if (!known.contains(fs::path(path).filename().string())) result.others.push_back(path);
  }
  result.are_all = !reader.has_missed();
  return result;
}

Mentions python_mentions(const fs::path& root, string_view name, const MentionLimits& limits) {
  const Result<files::FoundFiles> found = find_files(
      root, [](const fs::path& path) { return path.extension() == ".py" || path.extension() == ".pyi"; },
      limits);
  if (!found) return {.are_all = false};
  const RE2 renaming(R"((?:^|\W))" + RE2::QuoteMeta(name) + R"(\s+as\s+\w)");
  Mentions result;
  Reader reader(limits.bytes);
  for (const std::string& path : found->files) {
    const std::string text = reader.read(path, max_source);
    if (!mentions(text, name)) continue;
    if (RE2::PartialMatch(text, renaming)) result.are_all = false;
    (result.to_open.size() < limits.opened ? result.to_open : result.others).push_back(path);
  }
  if (reader.has_missed()) result.are_all = false;
  return result;
}

bool has_pyright_configuration(const fs::path& root) {
  std::error_code ignored;
  if (fs::exists(root / "pyrightconfig.json", ignored)) return true;
  const Result<std::string> project =
      files::read_regular_file((root / "pyproject.toml").string(), max_manifest, files::Symlinks::refuse);
  return project && (project->find("[tool.pyright") != project->npos ||
                     project->find("[tool.basedpyright") != project->npos);
}

std::string language_of(const fs::path& file) {
  if (file.extension() == ".py" || file.extension() == ".pyi") return "python";

  const std::string extension = file.extension().string();
  std::string language = extension.find('j') == extension.npos ? "typescript" : "javascript";
  return extension.ends_with('x') ? language + "react" : language;
}

Mentions go_mentions(const fs::path& root, string_view name, const MentionLimits& limits) {
  const Result<files::FoundFiles> found = find_files(
      root, [](const fs::path& path) { return path.extension() == ".go" || path.filename() == "go.mod"; },
      limits);
  if (!found) return {.are_all = false};
  std::set<fs::path> modules;
  for (const std::string& path : found->files)
    if (fs::path(path).filename() == "go.mod") modules.insert(fs::path(path).parent_path());
  const auto is_left_out = [&](const fs::path& file, const std::string& text) {
    const auto module = nearest(modules, file);
    const auto is_no_package = [](const fs::path& folder) {
      return folder == "testdata" || folder == "vendor" || folder.string().starts_with('_');
    };
    return is_of_one_system(file) || module == modules.end() || *module != root ||
           std::ranges::any_of(file.lexically_relative(root), is_no_package) ||
           text.find("//go:build ") != text.npos || text.find("// +build ") != text.npos ||
           text.find("import \"C\"") != text.npos;
  };
  Mentions result;
  Reader reader(limits.bytes);
  for (const std::string& path : found->files) {
    if (!path.ends_with(".go")) continue;
    const std::string text = reader.read(path, max_source);
    if (mentions(text, name) && is_left_out(path, text)) result.others.push_back(path);
  }
  result.are_all = !reader.has_missed();
  return result;
}

}  // namespace symbols::servers
