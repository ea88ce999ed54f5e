#include "proxy/system/introspection.h"

#include <crt_externs.h>
#include <fcntl.h>
#include <libproc.h>
#include <mach-o/dyld.h>
#include <sys/acl.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace symbols::system {

fs::path own_program(std::error_code& error) {
  return fs::canonical(own_image(), error);
}

std::string own_image() {
  std::array<char, MAXPATHLEN> path{};
  std::uint32_t size = path.size();
  return ::_NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : std::string();
}

const char* own_descriptors() {
  return "/dev/fd";
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = *::_NSGetEnviron(); *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  return variables;
}

std::size_t resident_memory(pid_t process) {
  constexpr std::size_t max_processes = 1000;  // a server that starts ever more is not followed for ever
  std::size_t bytes = 0;
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size() && all.size() < max_processes; ++i) {
    proc_taskinfo info{};
    if (::proc_pidinfo(all[i], PROC_PIDTASKINFO, 0, &info, sizeof info) == sizeof info)
      bytes += info.pti_resident_size;
    std::array<pid_t, 256> children{};
    const int count = ::proc_listchildpids(all[i], children.data(), sizeof children);
    for (int child = 0; child < count; ++child) all.push_back(children[static_cast<std::size_t>(child)]);
  }
  return bytes;
}

bool is_own_peer(int connection) {
  uid_t user = 0;
  gid_t group = 0;
  return ::getpeereid(connection, &user, &group) == 0 && user == ::getuid();
}

std::optional<int> unread_bytes(int connection) {
  int unread = 0;
  socklen_t size = sizeof unread;
  return ::getsockopt(connection, SOL_SOCKET, SO_NWRITE, &unread, &size) == 0 ? std::optional(unread)
                                                                              : std::nullopt;
}

bool has_access_list(const std::string& path) {
  acl_t list = ::acl_get_file(path.c_str(), ACL_TYPE_EXTENDED);
  if (list == nullptr) return false;
  ::acl_free(list);
  return true;
}

bool has_other_members(gid_t) {
  return true;
}

std::string path_of(int descriptor) {
  std::array<char, MAXPATHLEN> path{};
  return ::fcntl(descriptor, F_GETPATH, path.data()) == 0 ? path.data() : std::string();
}

timespec modified(const struct stat& status) {
  return status.st_mtimespec;
}

timespec changed(const struct stat& status) {
  return status.st_ctimespec;
}

}  // namespace symbols::system
