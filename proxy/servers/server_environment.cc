#include "proxy/servers/server_environment.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

namespace symbols::servers {
namespace {

enum class ValueForm {
  word,    // a name, a number, a locale: has no slash
  text,    // names no file to run: all but a file: URL
  path,    // absolute, and not in the project
  folders  // paths, separated by colons
};

struct Allowed {
  std::string_view name;  // with a star at its end: all that begin so
  ValueForm value;
};

constexpr Allowed allowed[] = {
    // Who and where the user is: settings, packages and toolchains are found from the home folder.
    {"HOME", ValueForm::path},
    {"USER", ValueForm::word},
    {"LOGNAME", ValueForm::word},
    {"XDG_CONFIG_HOME", ValueForm::path},
    {"XDG_DATA_HOME", ValueForm::path},
    {"XDG_STATE_HOME", ValueForm::path},
    {"XDG_CACHE_HOME", ValueForm::path},
    {"XDG_CONFIG_DIRS", ValueForm::folders},
    {"XDG_DATA_DIRS", ValueForm::folders},
    // Files that servers make for a while. A confined server gets a folder of its own instead.
    {"TMPDIR", ValueForm::path},
    {"TEMP", ValueForm::path},
    {"TMP", ValueForm::path},
    // The encoding of names and texts, the language of hovers and messages.
    {"LANG", ValueForm::word},
    {"LANGUAGE", ValueForm::word},
    {"LC_*", ValueForm::word},
    {"LOCALE_ARCHIVE", ValueForm::path},  // where Nix has them
    {"TZ", ValueForm::text},
    // Servers that are not confined may download what they need: by which proxy, whose certificates.
    {"HTTP_PROXY", ValueForm::text},
    {"HTTPS_PROXY", ValueForm::text},
    {"ALL_PROXY", ValueForm::text},
    {"NO_PROXY", ValueForm::text},
    {"http_proxy", ValueForm::text},
    {"https_proxy", ValueForm::text},
    {"all_proxy", ValueForm::text},
    {"no_proxy", ValueForm::text},
    {"SSL_CERT_FILE", ValueForm::path},
    {"SSL_CERT_DIR", ValueForm::folders},
    {"NIX_SSL_CERT_FILE", ValueForm::path},
    {"NODE_EXTRA_CA_CERTS", ValueForm::path},
    // Where there are programs and libraries outside of the system's folders (environment modules, Nix,
    // Guix),
    // a server that was installed there does not start without them.
    {"LD_LIBRARY_PATH", ValueForm::folders},
    {"PYTHONPATH", ValueForm::folders},
    {"PYTHONUSERBASE", ValueForm::path},
    {"PKG_CONFIG_PATH", ValueForm::folders},
    {"GEM_HOME", ValueForm::path},
    {"GEM_PATH", ValueForm::folders},
    {"JAVA_HOME", ValueForm::path},
    {"DOTNET_ROOT", ValueForm::path},
    {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT",
     ValueForm::word},  // without it none starts where ICU is missing
    // Folders of headers, which are read and not run.
    {"CPATH", ValueForm::text},
    {"C_INCLUDE_PATH", ValueForm::text},
    {"CPLUS_INCLUDE_PATH", ValueForm::text},
    {"OBJC_INCLUDE_PATH", ValueForm::text},
    // The environment whose packages Python servers look at, and whose interpreter they run for that.
    {"VIRTUAL_ENV", ValueForm::path},
    {"CONDA_PREFIX", ValueForm::path},
    // Go: its folders, what is built, and from where modules may come (GOPRIVATE keeps their names secret).
    // Not GOFLAGS, GOENV and CC, which name programs; what `go env -w` has written counts.
    {"GOROOT", ValueForm::path},
    {"GOPATH", ValueForm::folders},
    {"GOMODCACHE", ValueForm::path},
    {"GOCACHE", ValueForm::path},
    {"GOPLSCACHE", ValueForm::path},
    {"GOTOOLCHAIN", ValueForm::word},
    {"GOWORK", ValueForm::word},  // "off"
    {"GOOS", ValueForm::word},
    {"GOARCH", ValueForm::word},
    {"CGO_ENABLED", ValueForm::word},
    {"GO111MODULE", ValueForm::word},
    {"GOEXPERIMENT", ValueForm::word},
    {"GOPROXY", ValueForm::text},
    {"GOPRIVATE", ValueForm::text},
    {"GONOPROXY", ValueForm::text},
    {"GONOSUMDB", ValueForm::text},
    {"GOSUMDB", ValueForm::text},
    // Rust: its folders, and the toolchain that the user has chosen before the project's.
    {"CARGO_HOME", ValueForm::path},
    {"RUSTUP_HOME", ValueForm::path},
    {"RUSTUP_TOOLCHAIN", ValueForm::word},
    // Version managers: what is on the PATH is a stand-in of theirs, which finds the program there.
    {"ASDF_DIR", ValueForm::path},
    {"ASDF_DATA_DIR", ValueForm::path},
    {"MISE_DATA_DIR", ValueForm::path},
    {"NODENV_ROOT", ValueForm::path},
    {"PYENV_ROOT", ValueForm::path},
    {"PYENV_VERSION", ValueForm::word},
    {"NODENV_VERSION", ValueForm::word},
    {"RBENV_VERSION", ValueForm::word},
    {"RBENV_ROOT", ValueForm::path},
    {"VOLTA_HOME", ValueForm::path},
    // Ours: no other program reads them.
    {"SYMBOLS_*", ValueForm::text},
};

// What a server gets of the value; none: not the variable.
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
    const auto* const entry = std::ranges::find_if(allowed, [name](const Allowed& one) {
      return one.name.ends_with('*') ? name.starts_with(one.name.substr(0, one.name.size() - 1))
                                     : name == one.name;
    });
    if (entry == std::ranges::end(allowed)) continue;
    if (const auto value = allowed_value(variable.substr(end + 1), entry->value, boundary))
      inherited.push_back(std::string(name) + "=" + *value);
  }
  return inherited;
}

}  // namespace symbols::servers
