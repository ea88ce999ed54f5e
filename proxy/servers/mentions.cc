#include "proxy/servers/mentions.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/descriptor.h"
#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/folder_walk.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/filtered_database.h"
#include "proxy/servers/source_search.h"
#include "proxy/system/descriptors.h"

namespace symbols::servers {
namespace {

using std::string_view;

constexpr std::size_t max_manifest = std::size_t{1} << 20;
constexpr milliseconds max_wait{1000};  // while another run looks at the index
constexpr std::size_t max_name = 214;   // of a package, by npm's rule; of an identifier

// Whether the identifier `word` is in `text`, outside of lines of comments in C's or the shell's way.
bool mentions(const std::string& text, string_view word) {
  if (!has_word(text, word)) return false;
  static const RE2 comments(R"((?m)^\s*(?://|/\*|\* |\*/|# ).*$)");
  std::string code = text;
  return RE2::GlobalReplace(&code, comments, "") == 0 || has_word(code, word);
}

// The files that a compile_commands.json names, with their commands.
std::map<std::string, std::string> commands_in(const std::string& database) {
  std::map<std::string, std::string> commands;
  const Result<rapidjson::Document> document = lsp::parse_json(database);
  if (!document || !document->IsArray()) return commands;
  for (const auto& entry : document->GetArray()) {
    if (!entry.IsObject()) continue;
    const fs::path file = fs::path(lsp::text_member(entry, "directory")) / lsp::text_member(entry, "file");
    std::string& command = commands[file.lexically_normal().string()];
    command += fmt::format("{} {}\n", lsp::text_member(entry, "command"),
                           fmt::join(texts_in(lsp::member(entry, "arguments")), " "));
  }
  return commands;
}

// "a_windows.go" and "a_windows_test.go" are of one system or processor, by Go's list of them.
bool is_of_one_system(const fs::path& file) {
  static const RE2 names(
      "_(?:aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|"
      "wasip1|windows|zos|386|amd64|amd64p32|arm|armbe|arm64|arm64be|loong64|mips|mipsle|mips64|mips64le|"
      "mips64p32|mips64p32le|ppc|ppc64|ppc64le|riscv|riscv64|s390|s390x|sparc|sparc64|wasm)"
      R"((?:_test)?\.go$)");
  return RE2::PartialMatch(file.filename().string(), names);
}

// Searches all files of one language; `opened` of them are opened.
Mentions mentions_in_all(const fs::path& file, string_view name, const fs::path& root,
                         const files::KnownFile& is_source, std::size_t opened, const MentionLimits& limits) {
  if (name.size() > max_name) return {.are_all = false};
  SourceSearch search(root, is_source, limits);
  const RE2 renaming(R"((?:^|\W))" + RE2::QuoteMeta(name) + R"(\s+as\s+\w)");
  Mentions result;
  for (const std::string& path : search.files()) {
    const std::string text = search.read(path);
    if (!mentions(text, name)) continue;
    if (RE2::PartialMatch(text, renaming)) result.are_all = false;
    if (path == file) continue;
    result.to_find.push_back(path);
    if (result.to_open.size() < opened) result.to_open.push_back(path);
  }
  if (!search.saw_all()) result.are_all = false;
  return result;
}

struct Package {
  std::string name;
  std::set<std::string> needs;
};

bool is_configuration(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "tsconfig.json" || name == "jsconfig.json";
}

// A name that npm does not allow counts as none.
Package read_package(const std::string& path, SourceSearch& search) {
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

// The names of the package and of those that depend on it, directly or not: at most `max_names`.
std::set<std::string> with_dependents(const std::map<fs::path, Package>& packages, const std::string& name,
                                      std::size_t max_names) {
  std::multimap<string_view, string_view> users;
  for (const auto& [folder, package] : packages) {
    for (const std::string& needed : package.needs) users.emplace(needed, package.name);
  }
  std::set<std::string> names{name};
  for (std::vector<std::string> next{name}; !next.empty();) {
    const std::string one = std::move(next.back());
    next.pop_back();
    const auto [begin, end] = users.equal_range(one);
    for (auto user = begin; user != end && names.size() < max_names; ++user) {
      if (!user->second.empty() && names.emplace(user->second).second) next.emplace_back(user->second);
    }
  }
  return names;
}

// Where other files may call it otherwise: exported as default, as the whole module, or by another name.
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
  SourceSearch search(
      root,
      [](const fs::path& path) {
        return is_script(path) || is_configuration(path) || path.filename() == "package.json";
      },
      limits);
  std::map<fs::path, Package> packages;
  std::set<fs::path> configured;
  std::vector<fs::path> sources;
  for (const std::string& path : search.files()) {
    if (is_script(path)) sources.emplace_back(path);
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

namespace {

bool is_header(const fs::path& path) {
  return files::language_of(path.native()) == files::Language::c_header;
}

// The text up to the last line that includes, and the directives after it.
std::string preprocessing(string_view text) {
  std::string result;
  bool is_directive = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    const string_view line = text.substr(start, end - start);
    const string_view code = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    is_directive = is_directive || code.starts_with('#');
    const bool includes = code.find("include") != code.npos || code.find("import") != code.npos;
    if (is_directive && includes) {
      result = text.substr(0, end);
    } else if (is_directive) {
      result += line;
    }
    is_directive = is_directive && (line.ends_with("\\\n") || line.ends_with("\\\r\n"));
    start = end;
  }
  return result;
}

bool is_c(const fs::path& path) {
  return files::is_c(files::language_of(path.native()));
}

}  // namespace

CompiledSources compiled_sources(const fs::path& root, const fs::path& database,
                                 const MentionLimits& limits) {
  SourceSearch search(root, is_c, limits);
  const auto named = commands_in(search.read(database.string(), limits.bytes));
  CompiledSources sources;
  std::set<std::string> included;
  for (const std::string& path : search.files()) {
    const std::string text = search.read(path);
    for (const std::string& include : files::include_names(text))
      included.insert(fs::path(include.substr(1)).filename().string());
    if (named.contains(path)) sources.emplace(path, std::hash<std::string>()(preprocessing(text)));
  }
  std::erase_if(sources, [&](const auto& source) {
    return included.contains(fs::path(source.first).filename().string());
  });
  return search.saw_all() ? sources : CompiledSources();
}

Descriptor forget_outdated_index(const fs::path& folder, const fs::path& root, const MentionLimits& limits) {
  Descriptor in_use(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const bool is_alone = files::lock_within(in_use.get(), milliseconds(0));
  SourceSearch search(root, is_c, limits);
  const Result<std::string> database =
      files::read_regular_file((folder / commands_file).string(), limits.bytes);
  const std::hash<std::string> hash;
  std::set<std::string> now;
  for (const std::string& path : search.files()) {
    const files::FileStamp stamp = files::FileStamp::of(path).value_or(files::FileStamp());
    now.insert(
        fmt::format("{}\t\t{} {} {} {}", path, stamp.inode, stamp.size, stamp.modified, stamp.changed));
  }
  for (const auto& [path, command] : commands_in(database ? *database : std::string()))
    now.insert(fmt::format("{}\t{:x}", path, hash(command)));
  const std::string text = fmt::format("{}", fmt::join(now, "\n"));
  const std::string list = (folder / fmt::format("sources-{:x}", hash(root.string()))).string();
  const Result<std::string> known = files::read_regular_file(list, limits.bytes, files::Symlinks::refuse);
  const auto shared = [&] {
    // Nobody would know of this one: the next removes all.
    if (!files::lock_within(in_use.get(), max_wait, LOCK_SH)) ::unlink(list.c_str());
    return std::move(in_use);
  };
  if (known && *known == text) return shared();
  std::set<std::string> before;
  if (known)
    for (const string_view line : split(*known, '\n')) before.emplace(line);
  std::vector<std::string> changed;
  std::ranges::set_symmetric_difference(before, now, std::back_inserter(changed));
  std::set<std::string> with_command;
  bool is_whole = !known;
  for (std::string& line : changed) {
    const std::size_t tab = line.find('\t');
    const bool is_command = line.find("\t\t") != tab;
    line.resize(std::min(tab, line.size()));
    // Of a file with other flags, headers may be other code too.
    if (is_command) is_whole = !with_command.insert(line).second || is_whole;
  }
  Mentions users;
  if (!is_whole) users = dependents(changed, root, is_c, limits);
  std::ranges::move(changed, std::back_inserter(users.to_find));
  std::set<std::string> names;
  for (const std::string& path : users.to_find) names.insert(fs::path(path).filename().string());
  // A server may write there: nothing is removed through a link.
  const Descriptor shards =
      system::open_without_links((folder / ".cache/clangd/index").string(), O_RDONLY | O_DIRECTORY);
  (void)files::each_entry(shards, [&](const char* name) {
    const fs::path shard = name;  // NAME.HASH.idx
    const bool is_outdated = is_whole || !users.are_all || names.contains(shard.stem().stem().string());
    const bool is_left = is_alone && shard.native().find(".idx.temp-stream-") != std::string::npos;
    if ((shard.extension() == ".idx" && is_outdated) || is_left) ::unlinkat(shards.get(), name, 0);
    return true;
  });
  if (is_alone) (void)write_database(list, text);
  return shared();
}

Mentions cpp_mentions(const fs::path& file, string_view name, const fs::path& root, const fs::path& database,
                      const MentionLimits& limits) {
  if (name.size() > max_name) return {.are_all = false};
  SourceSearch search(root, is_c, limits);
  const auto named = commands_in(search.read(database.string(), limits.bytes));
  const auto file_names = [](std::vector<std::string> includes) {
    for (std::string& include : includes) include = fs::path(include.substr(1)).filename().string();
    return includes;
  };
  std::multimap<std::string, std::vector<std::string>> headers;  // by their names; what they include
  std::vector<std::string> with_name;
  std::vector<std::string> included;  // by what clangd knows; grows below
  Mentions result;
  for (const std::string& path : search.files()) {
    const std::string text = search.read(path);
    const bool has_name = path != file && mentions(text, name);
    if (named.contains(path)) {
      std::ranges::move(file_names(files::include_names(text)), std::back_inserter(included));
    } else if (is_header(path)) {
      headers.emplace(fs::path(path).filename().string(), file_names(files::include_names(text)));
      if (has_name) with_name.push_back(path);
    } else if (has_name) {
      result.to_find.push_back(path);
    }
  }
  std::set<std::string> known;
  while (!included.empty()) {
    const std::string header = std::move(included.back());
    included.pop_back();
    if (!known.insert(header).second) continue;
    const auto [begin, end] = headers.equal_range(header);
    for (auto one = begin; one != end; ++one) std::ranges::copy(one->second, std::back_inserter(included));
  }
  for (const std::string& path : with_name) {
    const std::string header = fs::path(path).filename().string();
    // Which one of several is included is not known.
    if (!known.contains(header) || headers.count(header) > 1) result.to_find.push_back(path);
  }
  result.are_all = search.saw_all();
  return result;
}

Mentions python_mentions(const fs::path& file, string_view name, const fs::path& root,
                         const MentionLimits& limits) {
  const auto is_python = [](const fs::path& path) {
    return files::language_of(path.native()) == files::Language::python;
  };
  return mentions_in_all(file, name, root, is_python, limits.opened, limits);
}

Mentions php_mentions(const fs::path& file, string_view name, const fs::path& root,
                      const MentionLimits& limits) {
  const auto is_php = [](const fs::path& path) {
    return is_among(path.extension().string(), ".php .phtml .inc .module");
  };
  return mentions_in_all(file, name, root, is_php, 0, limits);
}

std::string language_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension.starts_with(".py")) return "python";
  std::string language = extension.find('j') == extension.npos ? "typescript" : "javascript";
  return extension.ends_with('x') ? language + "react" : language;
}

Mentions go_mentions(const fs::path& file, string_view name, const fs::path& root,
                     const MentionLimits& limits) {
  if (name.size() > max_name) return {.are_all = false};
  SourceSearch search(
      root, [](const fs::path& path) { return path.extension() == ".go" || path.filename() == "go.mod"; },
      limits);
  std::set<fs::path> modules;
  for (const std::string& path : search.files()) {
    if (fs::path(path).filename() == "go.mod") modules.insert(fs::path(path).parent_path());
  }
  const auto is_left_out = [&](const fs::path& source, const std::string& text) {
    static const RE2 constraint(R"((?m)^//\s*(?:go:build\b|\+build)|"C")");
    const auto module = nearest(modules, source);
    const auto is_no_package = [](const fs::path& folder) {
      return folder == "testdata" || folder == "vendor" || folder.string().starts_with('_');
    };
    return is_of_one_system(source) || module == modules.end() || *module != root ||
           std::ranges::any_of(source.lexically_relative(root), is_no_package) ||
           RE2::PartialMatch(text, constraint);
  };
  Mentions result;
  for (const std::string& path : search.files()) {
    if (!path.ends_with(".go") || path == file) continue;
    const std::string text = search.read(path);
    if (mentions(text, name) && is_left_out(path, text)) result.to_find.push_back(path);
  }
  result.are_all = search.saw_all();
  return result;
}

}  // namespace symbols::servers
