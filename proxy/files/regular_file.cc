#include "proxy/files/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

#include "proxy/system/descriptors.h"

namespace symbols::files {
namespace {

const char* advice_for(int code) {
  switch (code) {
    case ENOENT:
      return "check the spelling and the folder";
    case ENOTDIR:
      return "a parent in the path is not a folder: check the path";
    case EACCES:
    case EPERM:
      return "check the permissions of it and of the folders above it";
    case ELOOP:
      return "its path has a symbolic link that is not followed, or a loop of them: give the file itself";
    case ENAMETOOLONG:
      return "give a shorter path, from a folder nearer to it";
    case EMFILE:
    case ENFILE:
      return "too many files are open: close some programs or raise the limit (ulimit -n)";
    default:
      return "";
  }
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a symbolic link";
  return "a device";
}

Error not_a_file(const std::string& name, mode_t mode) {
  return {
      fmt::format("cannot read {}: it is {}, not a file", name, kind_of(mode)),
      S_ISDIR(mode) ? "name the files in it" : "name a regular file, or pipe the text into standard input"};
}

// stat(2), or for a path whose links are refused what it would give.
bool look_at(const std::string& path, Symlinks symlinks, struct stat& status) {
  return symlinks == Symlinks::follow ? ::stat(path.c_str(), &status) == 0
                                      : system::look_without_links(path, status);
}

std::string mebibytes(std::uintmax_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

Error too_large(const std::string& name, const std::string& size, std::size_t limit) {
  return {fmt::format("cannot read {}: it has {}, the limit is {}", name, size, mebibytes(limit)),
          "leave it out, or split it"};
}

}  // namespace

Error system_error(const std::string& attempt, const std::string& name, int code) {
  return {fmt::format("cannot {} {}: {}", attempt, name.empty() ? "''" : name,
                      std::generic_category().message(code)),
          advice_for(code)};
}

Result<std::string> read_descriptor(int fd, const std::string& name, std::size_t limit) {
  std::string bytes;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t count = ::read(fd, chunk.data(), chunk.size());
    if (count == 0) return {boost::system::in_place_value, std::move(bytes)};
    if (count > 0) {
      if (static_cast<std::size_t>(count) > limit - bytes.size())
        return too_large(name, "more than that", limit);
      bytes.append(chunk.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return system_error("read", name, errno);
    pollfd readable{fd, POLLIN, 0};
    if (::poll(&readable, 1, -1) < 0 && errno != EINTR) return system_error("read", name, errno);
  }
}

bool write_all(const Descriptor& file, std::string_view text) {
  ssize_t written = 0;
  while (!text.empty() && (written = ::write(file.get(), text.data(), text.size())) > 0)
    text.remove_prefix(static_cast<std::size_t>(written));
  return file && text.empty();
}

bool lock_within(int descriptor, milliseconds limit, int operation) {
  const auto end = steady_clock::now() + limit;
  while (::flock(descriptor, operation | LOCK_NB) != 0) {
    const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_held || steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

Result<Descriptor> open_regular_file(const std::string& path, Symlinks symlinks, const std::string& called) {
  const std::string& name = called.empty() ? path : called;
  // Looked at before it is opened, as to open a device may rewind a tape or start a watchdog, and again after
  // it, as the name may lead elsewhere by then.
  struct stat status {};
  if (!look_at(path, symlinks, status)) return system_error("read", name, errno);
  if (!S_ISREG(status.st_mode)) return not_a_file(name, status.st_mode);

  constexpr int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
  Descriptor file = symlinks == Symlinks::follow ? Descriptor(::open(path.c_str(), flags | O_CLOEXEC))
                                                 : system::open_without_links(path, flags);
  if (!file) return system_error("read", name, errno);
  if (::fstat(file.get(), &status) != 0) return system_error("read", name, errno);
  if (!S_ISREG(status.st_mode)) return not_a_file(name, status.st_mode);
  return file;
}

Result<std::string> read_regular_file(const std::string& path, std::size_t limit, Symlinks symlinks,
                                      const std::string& called) {
  const std::string& name = called.empty() ? path : called;
  const Result<Descriptor> file = open_regular_file(path, symlinks, name);
  if (!file) return file.error();
  struct stat status {};
  const bool has_size = ::fstat(file->get(), &status) == 0 && status.st_size > 0;
  const std::uintmax_t size = has_size ? static_cast<std::uintmax_t>(status.st_size) : 0;
  if (size > limit) return too_large(name, mebibytes(size), limit);
  return read_descriptor(file->get(), name, limit);
}

}  // namespace symbols::files
