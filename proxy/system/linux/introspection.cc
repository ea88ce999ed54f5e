#include "proxy/system/introspection.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/sockios.h>
#include <pwd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <set>

namespace symbols::system {
namespace {

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

}  // namespace

fs::path own_program(std::error_code& error) {
  return fs::read_symlink(own_image(), error);
}

std::string own_image() {
  return "/proc/self/exe";
}

const char* own_descriptors() {
  return "/proc/self/fd";
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

std::size_t resident_memory(pid_t process) {
  constexpr std::size_t max_processes = 1000;  // a server that starts ever more is not followed for ever
  std::size_t pages = 0;
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size() && all.size() < max_processes; ++i) {
    const std::string folder = fmt::format("/proc/{}", all[i]);
    std::size_t size = 0;
    std::size_t resident = 0;
    if (std::ifstream statm(folder + "/statm"); statm >> size >> resident) pages += resident;
    // Each thread has the children that it started.
    std::error_code failure;
    for (fs::directory_iterator task(folder + "/task", failure), end; !failure && task != end;
         task.increment(failure)) {
      std::ifstream children(task->path() / "children");
      for (pid_t child = 0; children >> child;) all.push_back(child);
    }
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool is_own_peer(int connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

std::optional<int> unread_bytes(int connection) {
  int unread = 0;
  return ::ioctl(connection, SIOCOUTQ, &unread) == 0 ? std::optional(unread) : std::nullopt;
}

bool has_access_list(const std::string& path) {
  return ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

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

std::string path_of(int descriptor) {
  std::error_code error;
  return fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error).string();
}

timespec modified(const struct stat& status) {
  return status.st_mtim;
}

timespec changed(const struct stat& status) {
  return status.st_ctim;
}

}  // namespace symbols::system
