#include "proxy/process/made_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/filesystem.h"
#include "proxy/files/folder_walk.h"
#include "proxy/io/byte_writer.h"
#include "table/escape.h"

namespace symbols::process {
namespace {

// The entry `name` of `parent`, if it is a folder: with all rights to it, since read-only folders, such as go
// makes of its downloads, can neither be emptied nor moved.
Descriptor open_folder(int parent, const char* name) {
  (void)!::fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW);
  return Descriptor(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

class Removal {
 public:
  explicit Removal(const std::string& path) : top_(open_folder(AT_FDCWD, path.c_str())) {}

  bool opened() const { return static_cast<bool>(top_); }

  // Folders two levels down are moved up before they are emptied: so a few descriptors do for any depth.
  bool empty() {
    bool any = true;
    while (std::exchange(any, false)) {
      const bool all = files::each_entry(top_, [&](const char* name) {
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
    if (::unlinkat(folder.get(), name, 0) == 0 || errno == ENOENT) return true;
    struct stat status {};  // macOS has EPERM for it
    if (errno == EPERM && ::fstatat(folder.get(), name, &status, AT_SYMLINK_NOFOLLOW) == 0)
      errno = S_ISDIR(status.st_mode) ? EISDIR : EPERM;
    return false;
  }

  bool empty(const char* name) {
    if (errno != EISDIR) return false;
    const Descriptor folder = open_folder(top_.get(), name);
    return folder && files::each_entry(folder, [&](const char* entry) {
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

Result<MadeFolder> MadeFolder::make() {
  std::error_code error;
  fs::path place = fs::temp_directory_path(error);
  if (!error) place = fs::canonical(place, error);
  std::string name = (error ? fs::path("/tmp") : place) / "symbols-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return Error{
        fmt::format("cannot make a folder for its files, {}: {}", table::quoted(name), std::strerror(errno)),
        "set TMPDIR to a folder that may be written"};
  }
  return {boost::system::in_place_value, MadeFolder(std::move(name))};
}

MadeFolder::~MadeFolder() {
  if (path_.empty()) return;
  // Retries if something was in the way, such as the last file of a process that is just being killed.
  for (int i = 0; i < 3; ++i) {
    if (remove_folder(path_)) return;
  }
  const std::string message =
      fmt::format("the folder made for a server, {}, cannot be removed: {}; remove it by hand",
                  table::quoted(path_), std::strerror(errno));
  io::write_shared_error("symbols: " + message + "\n", milliseconds(0));
}

MadeFolder::MadeFolder(MadeFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

std::vector<std::string> MadeFolder::environment() const {
  // XDG_CACHE_HOME is for clangd, gopls and jedi (pylsp). The user may have set the two of go, which would
  // take precedence over it, and go does not run without a writable cache.
  return {"TMPDIR=" + path_,
          "TEMP=" + path_,
          "TMP=" + path_,
          "XDG_CACHE_HOME=" + path_ + "/cache",
          "GOCACHE=" + path_ + "/cache/go-build",
          "GOPLSCACHE=" + path_ + "/cache/gopls"};
}

bool remove_folder(const std::string& path) {
  Removal removal(path);
  if (!removal.opened()) return errno == ENOENT;
  return removal.empty() && ::rmdir(path.c_str()) == 0;
}

}  // namespace symbols::process
