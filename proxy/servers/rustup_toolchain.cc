#include "proxy/servers/rustup_toolchain.h"

#include <string_view>

#include "base/split.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/program_search.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_rustup_settings = std::size_t{1} << 20;

// The value of `default_toolchain = "…"`, which rustup writes before all tables of its file.
std::string default_toolchain_in(std::string_view toml) {
  constexpr std::string_view key = "default_toolchain";
  for (std::string_view line : split(toml, '\n')) {
    if (line.starts_with('[')) return {};
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const std::size_t begin = line.find_first_of("\"'");
    if (begin == line.npos || line.find_first_not_of(" \t=") != begin) continue;
    const std::size_t end = line.find(line[begin], begin + 1);
    if (end != line.npos) return std::string(line.substr(begin + 1, end - begin - 1));
  }
  return {};
}

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
    if (!toml) continue;
    if (std::string name = default_toolchain_in(*toml); !name.empty()) return name;
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
