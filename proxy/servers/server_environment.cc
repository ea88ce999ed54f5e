#include "proxy/servers/server_environment.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

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

bool has_name(const Allowed& some, std::string_view variable) {
  return std::ranges::any_of(split(some.names, ' '), [variable](std::string_view name) {
    return name.ends_with('*') ? variable.starts_with(name.substr(0, name.size() - 1)) : variable == name;
  });
}

// The value that a server gets. None: it does not get the variable.
std::optional<std::string> allowed_value(std::string_view value, ValueForm form,
                                         const ProjectBoundary& boundary) {
  bool is_allowed = true;
  switch (form) {
    case ValueForm::word:
      is_allowed = value.find('/') == value.npos;
      break;
    case ValueForm::text:
      is_allowed = value.find("file:") == value.npos;
      break;
    case ValueForm::path:
      is_allowed = value.starts_with('/') && !boundary.forbids(value);
      break;
    case ValueForm::folders: {
      // The loader divides LD_LIBRARY_PATH at semicolons too, and replaces $ORIGIN and the like.
      if (value.find_first_of(";$") != value.npos) return {};
      std::string folders = allowed_path(value, boundary);
      if (folders.empty()) return {};  // for some an empty list is the working folder
      return folders;
    }
  }
  return is_allowed ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

std::vector<std::string> allowed_environment(const std::vector<std::string>& variables,
                                             const ProjectBoundary& boundary) {
  std::vector<std::string> inherited;
  for (const std::string_view variable : variables) {
    const std::size_t end = variable.find('=');
    if (end == variable.npos) continue;
    const std::string_view name = variable.substr(0, end);
    const auto* const entry =
        std::ranges::find_if(allowed, [name](const Allowed& some) { return has_name(some, name); });
    if (entry == std::ranges::end(allowed)) continue;
    if (const auto value = allowed_value(variable.substr(end + 1), entry->value, boundary))
      inherited.push_back(std::string(name) + "=" + *value);
  }
  return inherited;
}

}  // namespace symbols::servers
