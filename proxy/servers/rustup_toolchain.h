// rustup puts proxies on the PATH: links to itself called rust-analyzer, cargo, rustc. They run the program
// of the toolchain that the project's rust-toolchain.toml names, even one inside the project, and exist even
// for programs that are not installed.
#pragma once

#include <filesystem>
#include <string>

namespace symbols::servers {

// Whether `program` is such a proxy.
bool is_rustup_stand_in(const std::filesystem::path& program);

// The user's default toolchain, by `rustup_home`/settings.toml (or the one in /etc, rustup's fallback): a
// name such as "stable-x86_64-unknown-linux-gnu". Empty if there is none.
std::string default_rustup_toolchain(const std::filesystem::path& rustup_home);

// Whether `toolchain`, a name as above, has the program `name` (its component is installed).
bool rustup_toolchain_has(const std::filesystem::path& rustup_home, const std::string& toolchain,
                          const std::string& name);

}  // namespace symbols::servers
