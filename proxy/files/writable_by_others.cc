#include "proxy/files/writable_by_others.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

namespace symbols::files {
namespace {

namespace fs = std::filesystem;

constexpr int max_links = 40;  // as the kernel

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

// By the machine's own files, as a static program can read no other records. If this user or the group is not
// in them, others may be missing too, so the group counts as having others.
bool has_other_members(gid_t group) {
  std::set<std::string> names;  // of root and this user
  bool knows_user = false;
  const File users(std::fopen("/etc/passwd", "re"), &std::fclose);
  for (const passwd* user = nullptr; users && (user = ::fgetpwent(users.get())) != nullptr;) {
    knows_user = knows_user || user->pw_uid == ::geteuid();
    if (user->pw_uid == 0 || user->pw_uid == ::geteuid()) {
      names.emplace(user->pw_name);
    } else if (user->pw_gid == group) {
      return true;
    }
  }
  bool knows_group = false;
  const File groups(std::fopen("/etc/group", "re"), &std::fclose);
  for (const ::group* entry = nullptr; groups && (entry = ::fgetgrent(groups.get())) != nullptr;) {
    if (entry->gr_gid != group) continue;
    knows_group = true;
    for (char** member = entry->gr_mem; *member != nullptr; ++member) {
      if (!names.contains(*member)) return true;
    }
  }
  return !knows_user || !knows_group;
}

bool others_may_write(const fs::path& path, const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return false;  // the mode of a link means nothing
  if ((status.st_mode & S_IWOTH) != 0) return true;
  if ((status.st_mode & S_IWGRP) == 0) return false;
  // With an access control list these bits are the most that any of its users and groups may do.
  return ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0 ||
         has_other_members(status.st_gid);
}

}  // namespace

std::optional<std::string> writable_by_others(const fs::path& path) {
  std::vector<fs::path> ahead;  // the next one is the last
  const auto follow = [&ahead](const fs::path& way) {
    const std::vector<fs::path> parts(way.begin(), way.end());
    ahead.insert(ahead.end(), parts.rbegin(), parts.rend());
  };
  follow(path);
  fs::path here;
  struct stat folder {};
  uid_t root_owner = 0;
  int links = 0;
  while (!ahead.empty()) {
    const fs::path name = std::move(ahead.back());
    ahead.pop_back();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      here = here.parent_path();
      if (::lstat(here.c_str(), &folder) != 0)
        return fmt::format("{}: {}", here.string(), std::strerror(errno));
      continue;
    }
    const fs::path next = here / name;
    struct stat status {};
    if (::lstat(next.c_str(), &status) != 0)
      return fmt::format("{}: {}", next.string(), std::strerror(errno));
    const bool is_root = next == next.root_path();
    if (is_root) root_owner = status.st_uid;
    const bool is_shared = !is_root && others_may_write(here, folder);
    if (status.st_uid != 0 && status.st_uid != ::geteuid() && (is_shared || status.st_uid != root_owner))
      return fmt::format("{} belongs to user {}", next.string(), status.st_uid);
    if (S_ISLNK(status.st_mode)) {
      std::error_code error;
      const fs::path target = fs::read_symlink(next, error);
      if (error || ++links > max_links) return next.string() + " is a link that leads nowhere";
      follow(target);
      continue;
    }
    const bool is_sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if (!is_sticky && others_may_write(next, status)) return next.string() + " may be changed by other users";
    here = next;
    folder = status;
  }
  return {};
}

}  // namespace symbols::files
