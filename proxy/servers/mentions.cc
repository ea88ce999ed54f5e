#include "proxy/servers/mentions.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "proxy/files/include_names.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/mention_search.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using std::string_view;

bool continues_word(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
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

std::string MentionReader::read(const std::string& path, std::size_t most) {
  Result<std::string> text = files::read_regular_file(path, std::min(most, left_), files::Symlinks::refuse);
  if (!text) has_missed_ = true;
  if (!text) return {};
  left_ -= text->size();
  return *std::move(text);
}

bool mentions(string_view text, string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !continues_word(text[at - 1])) && (end == text.size() || !continues_word(text[end])))
      return true;
  }
  return false;
}

Result<files::FoundFiles> find_mention_files(const fs::path& root, const files::KnownFile& known,
                                             const MentionLimits& limits) {
  if (root.empty()) return Error{};
  return files::find_source_files(
      root.string(), known,
      {.files = limits.files, .depth = files::FolderLimits().depth, .entries = limits.entries}, {},
      files::Symlinks::refuse);
}

Mentions cpp_mentions(const fs::path& file, string_view name, const fs::path& root, const fs::path& database,
                      const MentionLimits& limits) {
  const auto is_header = [](const fs::path& path) {
    constexpr std::array<string_view, 8> extensions{".h",   ".hh",  ".hpp", ".hxx",
                                                    ".inc", ".inl", ".ipp", ".tpp"};
    return std::ranges::count(extensions, path.extension().string()) > 0;
  };
  const Result<files::FoundFiles> found = find_mention_files(
      root,
      [&is_header](const fs::path& path) {
        constexpr std::array<string_view, 7> extensions{".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".cu"};
        return is_header(path) || std::ranges::count(extensions, path.extension().string()) > 0;
      },
      limits);
  if (!found) return {.are_all = false};
  MentionReader reader(limits.bytes);
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
  const Result<files::FoundFiles> found = find_mention_files(
      root, [](const fs::path& path) { return path.extension() == ".py" || path.extension() == ".pyi"; },
      limits);
  if (!found) return {.are_all = false};
  const RE2 renaming(R"((?:^|\W))" + RE2::QuoteMeta(name) + R"(\s+as\s+\w)");
  Mentions result;
  MentionReader reader(limits.bytes);
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
  const Result<files::FoundFiles> found = find_mention_files(
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
  MentionReader reader(limits.bytes);
  for (const std::string& path : found->files) {
    if (!path.ends_with(".go")) continue;
    const std::string text = reader.read(path, max_source);
    if (mentions(text, name) && is_left_out(path, text)) result.others.push_back(path);
  }
  result.are_all = !reader.has_missed();
  return result;
}

}  // namespace symbols::servers
