#include "proxy/files/content_hash.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <cerrno>

#include "proxy/files/regular_file.h"
#include "proxy/system/introspection.h"

// Compiled in: no library is needed where the program runs.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace symbols::files {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// Longest tick among file systems: FAT's, whose times are even seconds.
constexpr std::int64_t max_tick = 2 * second;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * second + time.tv_nsec;
}

}  // namespace

ContentHash hash_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::optional<ContentHash> hash_of_file(const std::string& path, std::size_t max_bytes) {
  const Result<Descriptor> file = open_regular_file(path);
  if (!file) return {};
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t count = ::read(file->get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {};
    if (count == 0) break;
    if (static_cast<std::size_t>(count) > max_bytes) return {};
    max_bytes -= static_cast<std::size_t>(count);
    XXH3_128bits_update(&state, chunk.data(), static_cast<std::size_t>(count));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return ContentHash{hash.high64, hash.low64};
}

std::string hex_of(const ContentHash& hash) {
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

PartsHash& PartsHash::add(std::string_view part) {
  std::string counted(part);
  if (root_.size() > 1) boost::replace_all(counted, root_, std::string_view("\0", 1));  // no path has it
  parts_ += std::to_string(counted.size()) + ':' + counted;
  return *this;
}

std::optional<FileStamp> FileStamp::of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return FileStamp{.device = static_cast<std::uint64_t>(status.st_dev),
                   .inode = status.st_ino,
                   .size = status.st_size,
                   .modified = nanoseconds(system::modified(status)),
                   .changed = nanoseconds(system::changed(status))};
}

bool FileStamp::may_change_unseen(std::int64_t looked) const {
  return std::max(modified, changed) > looked - max_tick;
}

std::int64_t file_clock_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

}  // namespace symbols::files
