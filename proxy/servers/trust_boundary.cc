#include "proxy/servers/trust_boundary.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "proxy/files/project_root.h"

namespace symbols::servers {

namespace fs = std::filesystem;

fs::path trust_boundary(const fs::path& file, const std::vector<fs::path>& roots, const fs::path& home) {
  fs::path widest;
  for (const fs::path& root : roots) {
    if (!root.has_relative_path() || root == home || !files::contains(root, file)) continue;
    // All of them are above one file, so a shorter one contains the longer ones.
    if (widest.empty() || root.native().size() < widest.native().size()) widest = root;
  }
  return widest;
}

fs::path account_home() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
    return {};
  std::error_code error;
  return fs::weakly_canonical(found->pw_dir, error);
}

}  // namespace symbols::servers
