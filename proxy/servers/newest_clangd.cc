#include "proxy/servers/newest_clangd.h"

#include <algorithm>
#include <climits>
#include <string>
#include <string_view>

#include "base/text.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

std::optional<int> version_in_name(std::string_view program) {
  constexpr std::string_view prefix = "clangd-";
  return program.starts_with(prefix) ? leading_number(program.substr(prefix.size())) : std::nullopt;
}

// lib/clang/N holds the compiler's own headers; if several versions share the folder it tells nothing.
std::optional<int> version_of_headers(const fs::path& lib_clang) {
  std::optional<int> version;
  std::error_code error;
  for (fs::directory_iterator entry(lib_clang, error), end; !error && entry != end; entry.increment(error)) {
    const std::optional<int> number = leading_number(entry->path().filename().string());
    if (!number || number == version) continue;
    if (version) return {};
    version = number;
  }
  return version;
}

}  // namespace

bool is_clangd_name(std::string_view name) {
  return name == "clangd" || (version_in_name(name) && name.find('.') == name.npos);
}

std::optional<int> clangd_version(const fs::path& program) {
  if (const std::optional<int> number = version_in_name(program.filename().string())) return number;
  std::error_code error;
  const fs::path target = fs::canonical(program, error);
  if (error) return {};
  if (const std::optional<int> number = version_in_name(target.filename().string())) return number;
  return version_of_headers(target.parent_path().parent_path() / "lib" / "clang");
}

void newest_clangd_first(std::vector<fs::path>& programs) {
  std::stable_sort(programs.begin(), programs.end(), [](const fs::path& left, const fs::path& right) {
    return clangd_version(left).value_or(INT_MAX) > clangd_version(right).value_or(INT_MAX);
  });
}

}  // namespace symbols::servers
