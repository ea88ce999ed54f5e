#include "proxy/servers/server_environment.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

namespace symbols::servers {
namespace {

enum class Value {
  word,    // a name, a number, a locale: has no slash
  text,    // names no file to run: all but a file: URL
  path,    // absolute, and not in the project
  folders  // paths, separated by colons
};

struct Allowed {
  std::string_view name;  // with a star at its end: all that begin so
  Value value;
};

constexpr Allowed allowed[] = {
    // Who and where the user is: settings, packages and toolchains are found from the home folder.
    {"HOME", Value::path},
    {"USER", Value::word},
    {"LOGNAME", Value::word},
    {"XDG_CONFIG_HOME", Value::path},
    {"XDG_DATA_HOME", Value::path},
    {"XDG_STATE_HOME", Value::path},
    {"XDG_CACHE_HOME", Value::path},
    {"XDG_CONFIG_DIRS", Value::folders},
    {"XDG_DATA_DIRS", Value::folders},
    // Files that servers make for a while. A confined server gets a folder of its own instead.
    {"TMPDIR", Value::path},
    {"TEMP", Value::path},
    {"TMP", Value::path},
    // The encoding of names and texts, the language of hovers and messages.
    {"LANG", Value::word},
    {"LANGUAGE", Value::word},
    {"LC_*", Value::word},
    {"LOCALE_ARCHIVE", Value::path},  // where Nix has them
    {"TZ", Value::text},
    // Servers that are not confined may download what they need: by which proxy, whose certificates.
    {"HTTP_PROXY", Value::text},
    {"HTTPS_PROXY", Value::text},
    {"ALL_PROXY", Value::text},
    {"NO_PROXY", Value::text},
    {"http_proxy", Value::text},
    {"https_proxy", Value::text},
    {"all_proxy", Value::text},
    {"no_proxy", Value::text},
    {"SSL_CERT_FILE", Value::path},
    {"SSL_CERT_DIR", Value::folders},
    {"NIX_SSL_CERT_FILE", Value::path},
    {"NODE_EXTRA_CA_CERTS", Value::path},
    // Where there are programs and libraries outside of the system's folders (environment modules, Nix,
    // Guix),
    // a server that was installed there does not start without them.
    {"LD_LIBRARY_PATH", Value::folders},
    {"PYTHONPATH", Value::folders},
    {"GEM_HOME", Value::path},
    {"GEM_PATH", Value::folders},
    {"JAVA_HOME", Value::path},
    {"DOTNET_ROOT", Value::path},
    {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", Value::word},  // without it none starts where ICU is missing
    // Folders of headers, which are read and not run.
    {"CPATH", Value::text},
    {"C_INCLUDE_PATH", Value::text},
    {"CPLUS_INCLUDE_PATH", Value::text},
    {"OBJC_INCLUDE_PATH", Value::text},
    // The environment whose packages Python servers look at, and whose interpreter they run for that.
    {"VIRTUAL_ENV", Value::path},
    {"CONDA_PREFIX", Value::path},
    // Go: its folders, what is built, and from where modules may come (GOPRIVATE keeps their names secret).
    // Not GOFLAGS, GOENV and CC, which name programs; what `go env -w` has written counts.
    {"GOROOT", Value::path},
    {"GOPATH", Value::folders},
    {"GOMODCACHE", Value::path},
    {"GOCACHE", Value::path},
    {"GOPLSCACHE", Value::path},
    {"GOTOOLCHAIN", Value::word},
    {"GOOS", Value::word},
    {"GOARCH", Value::word},
    {"CGO_ENABLED", Value::word},
    {"GO111MODULE", Value::word},
    {"GOEXPERIMENT", Value::word},
    {"GOPROXY", Value::text},
    {"GOPRIVATE", Value::text},
    {"GONOPROXY", Value::text},
    {"GONOSUMDB", Value::text},
    {"GOSUMDB", Value::text},
    // Rust: its folders, and the toolchain that the user has chosen before the project's.
    {"CARGO_HOME", Value::path},
    {"RUSTUP_HOME", Value::path},
    {"RUSTUP_TOOLCHAIN", Value::word},
    // Version managers: what is on the PATH is a stand-in of theirs, which finds the program there.
    {"ASDF_DIR", Value::path},
    {"ASDF_DATA_DIR", Value::path},
    {"MISE_DATA_DIR", Value::path},
    {"NODENV_ROOT", Value::path},
    {"PYENV_ROOT", Value::path},
    {"RBENV_ROOT", Value::path},
    {"VOLTA_HOME", Value::path},
    // Ours: no other program reads them.
    {"SYMBOLS_*", Value::text},
};

// What a server gets of the value; none: not the variable.
std::optional<std::string> allowed_value(std::string_view value, Value kind,
                                         const ProjectBoundary& boundary) {
  bool is_allowed = true;
  switch (kind) {
    case Value::word:
      is_allowed = value.find('/') == value.npos;
      break;
    case Value::text:
      is_allowed = value.find("file:") == value.npos;
      break;
    case Value::path:
      is_allowed = value.starts_with('/') && !boundary.forbids(value);
      break;
    case Value::folders: {
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
