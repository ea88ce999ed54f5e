#include "proxy/servers/trust_boundary.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/system/introspection.h"

namespace symbols::servers {
namespace {

enum class ValueForm {
  word,    // a name, a number, a locale: has no slash
  text,    // names no file to run: all but a file: URL
  path,    // absolute, and not in the project
  folders  // paths, separated by colons
};

struct Allowed {
  ValueForm value;
  std::string_view names;  // separated by spaces; with a star at its end: all that begin so
};

constexpr Allowed allowed[] = {
    // The user and the home folder, from which settings, packages and toolchains are found.
    {ValueForm::path, "HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME"},
    {ValueForm::word, "USER LOGNAME"},
    {ValueForm::folders, "XDG_CONFIG_DIRS XDG_DATA_DIRS"},
    // Files that servers make for a while. A confined server gets a folder of its own instead.
    {ValueForm::path, "TMPDIR TEMP TMP"},
    // The encoding of names and texts, the language of hovers and messages; where Nix has the locales.
    {ValueForm::word, "LANG LANGUAGE LC_*"},
    {ValueForm::path, "LOCALE_ARCHIVE"},
    {ValueForm::text, "TZ"},
    // Servers that are not confined may download what they need: by which proxy, whose certificates.
    {ValueForm::text, "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy"},
    {ValueForm::path, "SSL_CERT_FILE NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS"},
    {ValueForm::folders, "SSL_CERT_DIR"},
    // Where there are programs and libraries outside of the system's folders (environment modules, Nix,
    // Guix), a server that was installed there does not start without them.
    {ValueForm::folders, "LD_LIBRARY_PATH PYTHONPATH PKG_CONFIG_PATH GEM_PATH"},
    {ValueForm::path, "PYTHONUSERBASE GEM_HOME JAVA_HOME DOTNET_ROOT"},
    // Without it no .NET server starts where ICU is missing.
    {ValueForm::word, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"},
    // Folders of headers, which are read and not run.
    {ValueForm::text, "CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH"},
    // The environment whose packages Python servers look at, and whose interpreter they run for that.
    {ValueForm::path, "VIRTUAL_ENV CONDA_PREFIX"},
    // Go: its folders, what is built, and from where modules may come (GOPRIVATE keeps their names secret).
    // Not GOFLAGS, GOENV and CC, which name programs; what `go env -w` has written counts.
    {ValueForm::path, "GOROOT GOMODCACHE GOCACHE GOPLSCACHE"},
    {ValueForm::folders, "GOPATH"},
    {ValueForm::word, "GOTOOLCHAIN GOWORK GOOS GOARCH CGO_ENABLED GO111MODULE GOEXPERIMENT"},
    {ValueForm::text, "GOPROXY GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB"},
    // Rust: its folders, and the toolchain that the user has chosen before the project's.
    {ValueForm::path, "CARGO_HOME RUSTUP_HOME"},
    {ValueForm::word, "RUSTUP_TOOLCHAIN"},
    // Version managers: what is on the PATH is a stand-in of theirs, which finds the program there.
    {ValueForm::path, "ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR NODENV_ROOT PYENV_ROOT RBENV_ROOT VOLTA_HOME"},
    {ValueForm::word, "PYENV_VERSION NODENV_VERSION RBENV_VERSION"},
    // Ours: no other program reads them.
    {ValueForm::text, "SYMBOLS_*"},
};

// The value that a server gets. None: it does not get the variable.
std::optional<std::string> allowed_value(std::string_view value, ValueForm form,
                                         const ProjectBoundary& boundary) {
  if (form == ValueForm::folders) {
    // The loader divides LD_LIBRARY_PATH at semicolons too, and replaces $ORIGIN and the like.
    if (value.find_first_of(";$") != value.npos) return {};
    std::string folders = allowed_path(value, boundary);
    return folders.empty() ? std::nullopt : std::optional(folders);  // to some, empty is the working folder
  }
  const bool is_allowed = form == ValueForm::word   ? value.find('/') == value.npos
                          : form == ValueForm::text ? value.find("file:") == value.npos
                                                    : value.starts_with('/') && !boundary.forbids(value);
  return is_allowed ? std::optional<std::string>(value) : std::nullopt;
}

// Linux follows 40 symbolic links on one path.
constexpr int max_links = 40;

bool others_may_write(const fs::path& path, const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return false;  // the mode of a link means nothing
  if ((status.st_mode & S_IWOTH) != 0) return true;
  if ((status.st_mode & S_IWGRP) == 0) return false;
  // With an access control list these bits are the most that any of its users and groups may do.
  return system::has_access_list(path.string()) || system::has_other_members(status.st_gid);
}

}  // namespace

fs::path trust_boundary(const fs::path& file, const std::vector<fs::path>& roots, const fs::path& home) {
  fs::path widest;
  for (const fs::path& root : roots) {
    if (!root.has_relative_path() || root == home || !files::contains(root, file)) continue;
    // All of them are above one file, so a shorter one contains the longer ones.
    if (widest.empty() || root.native().size() < widest.native().size()) widest = root;
  }
  return widest;
}

#ifdef SYMBOLS_STATIC_LIBC
// To read anything but this file a static glibc would load the system's libraries for names, of any version.
fs::path account_home() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/passwd", "re"), &std::fclose);
  while (file) {
    const passwd* const entry = ::fgetpwent(file.get());
    if (entry == nullptr) break;
    std::error_code error;
    if (entry->pw_uid == ::getuid()) return fs::weakly_canonical(entry->pw_dir, error);
  }
  return {};
}
#else
fs::path account_home() {
  std::error_code error;
  const passwd* const entry = ::getpwuid(::getuid());
  return entry == nullptr ? fs::path() : fs::weakly_canonical(entry->pw_dir, error);
}
#endif

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

std::string allowed_path(std::string_view path, const ProjectBoundary& boundary) {
  std::string allowed;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/') || boundary.forbids(folder)) continue;
    if (!allowed.empty()) allowed += ':';
    allowed += folder;
  }
  return allowed;
}

std::vector<std::string> allowed_environment(const std::vector<std::string>& variables,
                                             const ProjectBoundary& boundary) {
  std::vector<std::string> inherited;
  for (const std::string_view variable : variables) {
    const std::size_t end = variable.find('=');
    if (end == variable.npos) continue;
    const std::string_view name = variable.substr(0, end);
    const auto* const entry = std::ranges::find_if(allowed, [name](const Allowed& some) {
      return std::ranges::any_of(split(some.names, ' '), [name](std::string_view one) {
        return one.ends_with('*') ? name.starts_with(one.substr(0, one.size() - 1)) : name == one;
      });
    });
    if (entry == std::ranges::end(allowed)) continue;
    if (const auto value = allowed_value(variable.substr(end + 1), entry->value, boundary))
      inherited.push_back(std::string(name) + "=" + *value);
  }
  return inherited;
}

std::optional<std::string> writable_by_others(const fs::path& path) {
  std::vector<fs::path> ahead;  // the next one is the last
  const auto follow = [&ahead](const fs::path& way) {
    const std::vector<fs::path> parts(way.begin(), way.end());
    ahead.insert(ahead.end(), parts.rbegin(), parts.rend());
  };
  follow(path);
  fs::path here;
  struct stat folder {};
  uid_t root_owner = 0;
  int links = 0;
  while (!ahead.empty()) {
    const fs::path name = std::move(ahead.back());
    ahead.pop_back();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      here = here.parent_path();
      if (::lstat(here.c_str(), &folder) != 0)
        return fmt::format("{}: {}", here.string(), std::strerror(errno));
      continue;
    }
    const fs::path next = here / name;
    struct stat status {};
    if (::lstat(next.c_str(), &status) != 0)
      return fmt::format("{}: {}", next.string(), std::strerror(errno));
    const bool is_root = next == next.root_path();
    if (is_root) root_owner = status.st_uid;
    const bool is_shared = !is_root && others_may_write(here, folder);
    if (status.st_uid != 0 && status.st_uid != ::geteuid() && (is_shared || status.st_uid != root_owner))
      return fmt::format("{} belongs to user {}", next.string(), status.st_uid);
    if (S_ISLNK(status.st_mode)) {
      std::error_code error;
      const fs::path target = fs::read_symlink(next, error);
      if (error || ++links > max_links) return next.string() + " is a link that leads nowhere";
      follow(target);
      continue;
    }
    const bool is_sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if (!is_sticky && others_may_write(next, status)) return next.string() + " may be changed by other users";
    here = next;
    folder = status;
  }
  return {};
}

}  // namespace symbols::servers
