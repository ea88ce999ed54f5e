#include "proxy/servers/mentions.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"
#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/servers/mention_search.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

// The files that a compile_commands.json names.
std::set<std::string> sources_in(const std::string& commands) {
  std::set<std::string> sources;
  const Result<rapidjson::Document> document = lsp::parse_json(commands);
  if (!document || !document->IsArray()) return sources;
  for (const auto& entry : document->GetArray()) {
    if (entry.IsObject())
      sources.insert((fs::path(lsp::text_member(entry, "directory")) / lsp::text_member(entry, "file"))
                         .lexically_normal()
                         .string());
  }
  return sources;
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
  MentionSearch search(root, is_source, limits);
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

}  // namespace

MentionSearch::MentionSearch(const fs::path& root, const files::KnownFile& known, const MentionLimits& limits)
    : left_(limits.bytes) {
  Result<files::FoundFiles> found =
      root.empty()
          ? Result<files::FoundFiles>(Error{})
          : files::find_source_files(
                root.string(), known,
                {.files = limits.files, .depth = files::FolderLimits().depth, .entries = limits.entries}, {},
                files::Symlinks::refuse);
  saw_all_ = found && found->errors.empty();
  if (found) found_ = *std::move(found);
}

std::string MentionSearch::read(const std::string& path, std::size_t most) {
  Result<std::string> text = files::read_regular_file(path, std::min(most, left_), files::Symlinks::refuse);
  if (!text) saw_all_ = false;
  if (!text) return {};
  left_ -= text->size();
  return *std::move(text);
}

bool has_word(string_view text, string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_identifier(text[at - 1])) && (end == text.size() || !is_identifier(text[end])))
      return true;
  }
  return false;
}

bool mentions(const std::string& text, string_view word) {
  if (!has_word(text, word)) return false;
  static const RE2 comments(R"((?m)^\s*(?://|/\*|\* |\*/|# ).*$)");
  std::string code = text;
  return RE2::GlobalReplace(&code, comments, "") == 0 || has_word(code, word);
}

Mentions cpp_mentions(const fs::path& file, string_view name, const fs::path& root, const fs::path& database,
                      const MentionLimits& limits) {
  if (name.size() > max_name) return {.are_all = false};
  const auto is_header = [](const fs::path& path) {
    return files::language_of(path.native()) == files::Language::c_header;
  };
  MentionSearch search(
      root,
      [&](const fs::path& path) {
        return is_header(path) || files::language_of(path.native()) == files::Language::c_source;
      },
      limits);
  const std::set<std::string> named = sources_in(search.read(database.string(), limits.bytes));
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
  MentionSearch search(
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
