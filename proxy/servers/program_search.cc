#include "proxy/servers/program_search.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <fstream>
#include <functional>
#include <optional>
#include <set>

#include "base/text.h"
#include "proxy/files/project_root.h"

namespace symbols::servers {
namespace {

void add(ProgramSearch& search, const fs::path& program, const ProjectBoundary& boundary) {
  if (!is_program(program)) return;
  (boundary.forbids(program) ? search.forbidden : search.found).push_back(program);
}

std::optional<int> version_in_name(std::string_view program) {
  constexpr std::string_view prefix = "clangd-";
  return program.starts_with(prefix) ? leading_number(program.substr(prefix.size())) : std::nullopt;
}

// lib/clang/N holds the compiler's own headers; if several versions share the folder it tells nothing.
std::optional<int> version_of_headers(const fs::path& lib_clang) {
  std::optional<int> version;
  std::error_code error;
  for (fs::directory_iterator entry(lib_clang, error), end; !error && entry != end; entry.increment(error)) {
    const std::optional<int> number = leading_number(entry->path().filename().string());
    if (!number || number == version) continue;
    if (version) return {};
    version = number;
  }
  return version;
}

// None if it cannot be told.
std::optional<int> clangd_version(const fs::path& program) {
  if (const std::optional<int> number = version_in_name(program.filename().string())) return number;
  std::error_code error;
  const fs::path target = fs::canonical(program, error);
  if (error) return {};
  if (const std::optional<int> number = version_in_name(target.filename().string())) return number;
  return version_of_headers(target.parent_path().parent_path() / "lib" / "clang");
}

}  // namespace

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

ProgramSearch find_programs(std::string_view name, std::string_view path, const ProjectBoundary& boundary) {
  ProgramSearch search;
  if (name.starts_with('/')) add(search, name, boundary);
  if (name.empty() || name.find('/') != name.npos) return search;
  for (const std::string_view folder : split(path, ':'))
    if (folder.starts_with('/')) add(search, fs::path(folder) / name, boundary);
  return search;
}

std::string_view interpreter_in(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, text.find_first_of("\r\n", 2) - 2);
  for (bool is_env = false; !(line = trim(line, " \t")).empty(); is_env = true) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    const bool is_argument = word.starts_with('-') || word.find('=') != word.npos;  // env -S NAME=VALUE node
    if (is_env ? !is_argument : word.substr(word.rfind('/') + 1) != "env") return word;
  }
  return {};
}

std::string interpreter_of(const fs::path& script) {
  std::array<char, 256> start{};  // Linux reads no more of that line
  std::ifstream file(script, std::ios::binary);
  file.read(start.data(), start.size());
  return std::string(interpreter_in({start.data(), static_cast<std::size_t>(file.gcount())}));
}

OwnInstalls find_own_installs(const fs::path& named, const fs::path& home, const fs::path& program,
                              const ProjectBoundary& boundary) {
  OwnInstalls installs;
  // One global `typescript` is version 5 or 7, so the advice in servers.json puts the other one in `of_home`.
  const fs::path of_home = home / ".local/lib/symbols/servers";
  const fs::path prefix = program.parent_path().parent_path();
  for (const fs::path& install :
       {named, of_home, prefix / "lib/symbols/servers", prefix / "scripts/servers"}) {
    const fs::path folder = install / "node_modules";
    if (install.is_relative() || !files::is_folder(folder)) continue;
    std::optional<std::string> reason;
    if (install != named) reason = writable_by_others(folder);
    if (!reason && install != named && install == of_home && boundary.forbids(folder))
      reason = "they are in the project, which is not trusted";
    if (reason) {
      installs.refused.push_back(
          fmt::format("the servers in {} are not used: {}", install.string(), *reason));
    } else {
      installs.folders.push_back(install);
    }
  }
  return installs;
}

ProgramSearch find_clangds(std::string_view path, const ProjectBoundary& boundary) {
  ProgramSearch search;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/')) continue;
    std::set<std::string> names;  // directory entries have no order
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (name == "clangd" || (version_in_name(name) && name.find('.') == name.npos))
        names.insert(std::move(name));
    }
    for (const std::string& name : names) add(search, fs::path(folder) / name, boundary);
  }
  std::ranges::stable_sort(search.found, std::greater(),
                           [](const fs::path& program) { return clangd_version(program).value_or(INT_MAX); });
  return search;
}

}  // namespace symbols::servers
