#include "proxy/servers/program_search.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/files/writable_by_others.h"
#include "proxy/servers/trust_boundary.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

// Linux follows 40 symbolic links on one path.
constexpr int max_links = 40;

// The absolute folders of a PATH.
std::vector<fs::path> folders_of(std::string_view path) {
  std::vector<fs::path> folders;
  for (const std::string_view folder : split(path, ':')) {
    if (folder.starts_with('/')) folders.emplace_back(folder);
  }
  return folders;
}

void add(ProgramSearch& search, const fs::path& program, const ProjectBoundary& boundary) {
  if (!is_program(program)) return;
  (boundary.forbids(program) ? search.forbidden : search.found).push_back(program);
}

}  // namespace

ProjectBoundary::ProjectBoundary(const fs::path& project_root, bool trust_project,
                                 const fs::path& other_root) {
  if (trust_project) return;
  for (const fs::path& given : {project_root, other_root}) {
    if (given.empty()) continue;
    std::error_code error;
    fs::path root = fs::weakly_canonical(fs::absolute(given, error), error);
    if (root.filename().empty() && root.has_relative_path()) root = root.parent_path();  // a slash at the end
    if (error) root = fs::absolute(given, error).lexically_normal();
    if (root != root.root_path() && root != account_home()) roots_.push_back(std::move(root));
  }
}

bool ProjectBoundary::contains(const fs::path& canonical) const {
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const fs::path& root) { return files::contains(root, canonical); });
}

bool ProjectBoundary::forbids(const fs::path& path) const {
  if (roots_.empty()) return false;
  std::error_code error;
  fs::path hop = path;
  for (int links = 0; links < max_links; ++links) {
    const fs::path name = hop.filename();
    if (name.empty() || name == "." || name == "..") break;
    // This resolves the links in the folder; only the last name is left to follow.
    const fs::path folder = fs::weakly_canonical(hop.parent_path(), error);
    if (error) return true;  // what cannot be resolved is not trusted
    hop = folder / name;
    if (contains(hop)) return true;
    if (!fs::is_symlink(hop, error)) return false;
    const fs::path target = fs::read_symlink(hop, error);
    if (error) return true;
    hop = folder / target;  // an absolute target replaces the folder
  }
  const fs::path end = fs::weakly_canonical(hop, error);
  return error || contains(end);
}

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

ProgramSearch find_programs(std::string_view name, std::string_view path, const ProjectBoundary& boundary) {
  ProgramSearch search;
  if (name.empty() || name.find('/') != name.npos) return search;
  for (const fs::path& folder : folders_of(path)) add(search, folder / name, boundary);
  return search;
}

ProgramSearch find_programs_if(const std::function<bool(std::string_view)>& wanted, std::string_view path,
                               const ProjectBoundary& boundary) {
  ProgramSearch search;
  for (const fs::path& folder : folders_of(path)) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (wanted(name)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());  // directory entries have no order
    for (const std::string& name : names) add(search, folder / name, boundary);
  }
  return search;
}

std::string allowed_path(std::string_view path, const ProjectBoundary& boundary) {
  std::string allowed;
  for (const fs::path& folder : folders_of(path)) {
    if (boundary.forbids(folder)) continue;
    if (!allowed.empty()) allowed += ':';
    allowed += folder.string();
  }
  return allowed;
}

std::string_view interpreter_in(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, text.find_first_of("\r\n", 2) - 2);
  bool of_env = false;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return {};
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    if (!of_env) {
      if (word.substr(word.rfind('/') + 1) != "env") return word;
      of_env = true;
    } else if (!word.starts_with('-') && word.find('=') == word.npos) {  // env -S NAME=VALUE node
      return word;
    }
  }
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
  const auto packages = [](const fs::path& install) {
    std::error_code error;
    fs::path folder = install / "node_modules";
    return install.is_absolute() && fs::is_directory(folder, error) ? folder : fs::path();
  };
  const auto add = [&](const fs::path& install, bool may_be_in_project) {
    const fs::path folder = packages(install);
    if (folder.empty()) return;
    std::optional<std::string> reason = files::writable_by_others(folder);
    if (!reason && !may_be_in_project && boundary.forbids(folder))
      reason = "they are in the project, which is not trusted";
    if (reason) {
      installs.refused.push_back(
          fmt::format("the servers in {} are not used: {}", install.string(), *reason));
    } else {
      installs.folders.push_back(install);
    }
  };
  if (!packages(named).empty()) installs.folders.push_back(named);
  // One global `typescript` is version 5 or 7, so the advice in servers.json puts the other one here.
  add(home / ".local/lib/symbols/servers", false);
  const fs::path prefix = program.parent_path().parent_path();
  add(prefix / "lib/symbols/servers", true);
  add(prefix / "scripts/servers", true);
  return installs;
}

}  // namespace symbols::servers
