// Debian installs clangd-14 and clangd-19 side by side, and `clangd` is rarely the newest of them: on Debian
// 12 it is 14, which answers hovers some hundred times slower than 19.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace symbols::servers {

// The major version of the clangd at `program`, without running it: by its name (clangd-19), also once links
// are followed, or by the only …/lib/clang/N beside it. None if it cannot be told.
std::optional<int> clangd_version(const std::filesystem::path& program);

// Whether `name` is that of a clangd: `clangd`, or `clangd-` and a number.
bool is_clangd_name(std::string_view name);

// Puts the newest first; equals keep their order. A plain `clangd` of unknown version counts as the newest:
// it is not a distribution's link, so the user chose it.
void newest_clangd_first(std::vector<std::filesystem::path>& programs);

}  // namespace symbols::servers
