#include "proxy/servers/rustup_toolchain.h"

#include <re2/re2.h>

#include "proxy/files/regular_file.h"
#include "proxy/servers/program_search.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_rustup_settings = std::size_t{1} << 20;

}  // namespace

bool is_rustup_stand_in(const fs::path& program) {
  std::error_code error;
  return fs::canonical(program, error).filename() == "rustup";
}

std::string default_rustup_toolchain(const fs::path& rustup_home) {
  for (const fs::path& folder : {rustup_home, fs::path("/etc/rustup")}) {
    if (folder.empty()) continue;
    const Result<std::string> toml =
        files::read_regular_file((folder / "settings.toml").string(), max_rustup_settings);
    static const re2::RE2 setting(R"re((?m)^default_toolchain\s*=\s*["']([^"']+)["'])re");
    if (std::string name; toml && re2::RE2::PartialMatch(*toml, setting, &name)) return name;
  }
  return {};
}

bool rustup_toolchain_has(const fs::path& rustup_home, const std::string& toolchain,
                          const std::string& name) {
  // A short name, "stable", means the toolchain whose folder's name continues with this machine's target.
  std::error_code error;
  for (fs::directory_iterator entry(rustup_home / "toolchains", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string folder = entry->path().filename().string();
    if (folder != toolchain && !folder.starts_with(toolchain + "-")) continue;
    if (is_program(entry->path() / "bin" / name)) return true;
  }
  return false;
}

}  // namespace symbols::servers
