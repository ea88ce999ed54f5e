#include "proxy/process/remove_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

#include "base/descriptor.h"

namespace symbols::process {
namespace {

// The entry `name` of `parent`, if it is a folder: with all rights to it, since read-only folders, such as go
// makes of its downloads, can neither be emptied nor moved.
Descriptor open_folder(int parent, const char* name) {
  const Descriptor entry(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!entry) return Descriptor();
  // fchmod() does not take such a descriptor.
  ::chmod(fmt::format("/proc/self/fd/{}", entry.get()).c_str(), S_IRWXU);
  return Descriptor(::openat(entry.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Calls `take` for each entry of `folder`, until that is false. Whether it was true for all.
bool each_entry(const Descriptor& folder, const std::function<bool(const char* name)>& take) {
  Descriptor listed(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const entries = listed ? ::fdopendir(listed.get()) : nullptr;
  if (entries == nullptr) return false;
  listed.release();
  bool all = true;
  while (const dirent* entry = all ? ::readdir(entries) : nullptr) {
    const std::string_view name = entry->d_name;
    all = name == "." || name == ".." || take(entry->d_name);
  }
  const int error = errno;
  ::closedir(entries);
  errno = error;
  return all;
}

class Removal {
 public:
  explicit Removal(const std::string& path) : top_(open_folder(AT_FDCWD, path.c_str())) {}

  bool opened() const { return static_cast<bool>(top_); }

  // A folder in a folder in it is moved up before it is emptied: nothing has to be deeper than that, and
  // a few descriptors do.
  bool empty() {
    bool any = true;
    while (std::exchange(any, false)) {
      const bool all = each_entry(top_, [&](const char* name) {
        any = true;
        return unlink(top_, name) || (empty(name) && ::unlinkat(top_.get(), name, AT_REMOVEDIR) == 0);
      });
      if (!all) return false;
    }
    return true;
  }

 private:
  // False, with EISDIR, for a folder.
  static bool unlink(const Descriptor& folder, const char* name) {
    return ::unlinkat(folder.get(), name, 0) == 0 || errno == ENOENT;
  }

  bool empty(const char* name) {
    if (errno != EISDIR) return false;
    const Descriptor folder = open_folder(top_.get(), name);
    return folder && each_entry(folder, [&](const char* entry) {
             return unlink(folder, entry) || (errno == EISDIR && move_up(folder, entry));
           });
  }

  bool move_up(const Descriptor& folder, const char* name) {
    if (!open_folder(folder.get(), name)) return false;
    while (::renameat(folder.get(), name, top_.get(), fmt::format("moved-{}", number_++).c_str()) != 0) {
      const bool is_taken = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR;
      if (!is_taken) return false;
    }
    return true;
  }

  Descriptor top_;
  std::uint64_t number_ = 0;
};

}  // namespace

bool remove_folder(const std::string& path) {
  Removal removal(path);
  if (!removal.opened()) return errno == ENOENT;
  return removal.empty() && ::rmdir(path.c_str()) == 0;
}

}  // namespace symbols::process
