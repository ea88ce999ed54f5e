#include "proxy/system/introspection.h"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>

namespace symbols::system {

fs::path own_program(std::error_code& error) {
  return fs::read_symlink(own_image(), error);
}

std::string own_image() {
  return "/proc/self/exe";
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
