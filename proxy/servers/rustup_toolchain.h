// rustup puts stand-ins on the PATH: links to itself called rust-analyzer, cargo, rustc, that run the program
// of the toolchain which the project's rust-toolchain.toml names, even one inside the project, and that exist
// for programs which are not installed.
#pragma once

#include <filesystem>
#include <string>

namespace symbols::servers {

// Whether `program` is such a stand-in.
bool is_rustup_stand_in(const std::filesystem::path& program);

// The person's own default toolchain, by `rustup_home`/settings.toml (or /etc's, which rustup falls back to):
// a name such as "stable-x86_64-unknown-linux-gnu". Empty where there is none.
std::string default_rustup_toolchain(const std::filesystem::path& rustup_home);

// Whether `toolchain`, a name as above, has the program `name` (its component is installed).
bool rustup_toolchain_has(const std::filesystem::path& rustup_home, const std::string& toolchain,
                          const std::string& name);

}  // namespace symbols::servers
