// Debian installs clangd as clangd-14, clangd-19 beside each other, and `clangd` is seldom the newest of
// them: on Debian 12 it is 14, which answers hovers some hundred times slower than 19.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace symbols::servers {

// The major version of the clangd at `program`, without running it: by its name (clangd-19), by the folder
// that it is in once links are followed (…/llvm-14/bin/clangd, …/clangd_19.1.2/bin/clangd,
// …/llvm/19.1.0/bin/clangd), or by the only …/lib/clang/N beside it. None where nothing tells.
std::optional<int> clangd_version(const std::filesystem::path& program);

// Whether a file called `name` is a clangd: `clangd` or `clangd-` and a number.
bool is_clangd_name(std::string_view name);

// Puts the newest first; equals stay in order. A plain `clangd` that nothing tells the version of counts as
// the newest: it is no distribution's link, so somebody chose it.
void newest_clangd_first(std::vector<std::filesystem::path>& programs);

}  // namespace symbols::servers
