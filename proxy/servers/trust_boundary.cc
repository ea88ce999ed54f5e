#include "proxy/servers/trust_boundary.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
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

#ifdef SYMBOLS_STATIC_LIBC
// A static glibc would load the system's libraries for names, of whatever version they are, to read anything
// but this file.
fs::path account_home() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/passwd", "re"), &std::fclose);
  while (file) {
    const passwd* const entry = ::fgetpwent(file.get());
    if (entry == nullptr) break;
    std::error_code error;
    if (entry->pw_uid == ::getuid()) return fs::weakly_canonical(entry->pw_dir, error);
  }
  return {};
}
#else
fs::path account_home() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
    return {};
  std::error_code error;
  return fs::weakly_canonical(found->pw_dir, error);
}
#endif

}  // namespace symbols::servers
