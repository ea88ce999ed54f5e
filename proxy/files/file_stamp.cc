#include "proxy/files/file_stamp.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>

namespace symbols::files {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// Longest tick among file systems: FAT's, whose times are even seconds.
constexpr std::int64_t longest_tick = 2 * second;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * second + time.tv_nsec;
}

}  // namespace

std::optional<FileStamp> FileStamp::of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return FileStamp{.device = status.st_dev,
                   .inode = status.st_ino,
                   .size = status.st_size,
                   .modified = nanoseconds(status.st_mtim),
                   .changed = nanoseconds(status.st_ctim)};
}

bool FileStamp::may_change_unseen(std::int64_t looked) const {
  return std::max(modified, changed) > looked - longest_tick;
}

std::int64_t file_clock_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

}  // namespace symbols::files
