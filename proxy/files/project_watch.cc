#include "proxy/files/project_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {
namespace {

constexpr std::uint32_t folder_events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                                        IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::size_t most_named_changes = 1000;  // more are `unknown`
constexpr std::size_t deepest = 256;              // folders in folders

constexpr std::array<std::string_view, 4> version_control = {".git", ".hg", ".svn", ".jj"};

// What servers look for in the folders above a file.
constexpr std::array<std::string_view, 24> configuration = {"compile_commands.json",
                                                            "compile_flags.txt",
                                                            ".clangd",
                                                            "build",
                                                            "tsconfig.json",
                                                            "jsconfig.json",
                                                            "package.json",
                                                            "node_modules",
                                                            "pyproject.toml",
                                                            "pyrightconfig.json",
                                                            "setup.cfg",
                                                            "setup.py",
                                                            "requirements.txt",
                                                            "go.mod",
                                                            "go.work",
                                                            "Cargo.toml",
                                                            "Cargo.lock",
                                                            ".luarc.json",
                                                            ".git",
                                                            ".editorconfig",
                                                            ".clang-tidy",
                                                            ".clang-format",
                                                            "tsconfig.base.json",
                                                            "vendor"};

template <class Names>
bool is_among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// File systems that other machines may change without this kernel's knowing.
bool is_shared(const std::string& folder) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return true;
  constexpr std::array<std::uint32_t, 9> shared = {
      0x6969 /* NFS */,      0x517B /* SMB */,      0xFE534D42 /* SMB2 */,
      0xFF534D42 /* CIFS */, 0x65735546 /* FUSE */, 0x01021997 /* 9p */,
      0x00C36400 /* Ceph */, 0x5346414F /* AFS */,  0x786F4256 /* VirtualBox */};
  return std::find(shared.begin(), shared.end(), static_cast<std::uint32_t>(status.f_type)) != shared.end();
}

class InotifyWatch final : public ProjectWatch {
 public:
  explicit InotifyWatch(Descriptor queue) : queue_(std::move(queue)) {}

  // The reason where it cannot be watched.
  std::optional<Error> start(const std::string& root) {
    if (is_shared(root)) return Error{root + " is on a file system that other machines may change", {}};
    if (!add_tree(root, 0)) return failure_;
    for (std::filesystem::path above = std::filesystem::path(root).parent_path();;
         above = above.parent_path()) {
      (void)add(above.string(), Place::above);  // an unreadable folder cannot configure anything
      if (above == above.parent_path()) break;
    }
    return std::nullopt;
  }

  ProjectChanges take() override {
    ProjectChanges changes;
    alignas(inotify_event) std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t length = ::read(queue_.get(), buffer.data(), buffer.size());
      if (length < 0 && errno == EINTR) continue;
      if (length <= 0) break;
      for (ssize_t at = 0; at < length;) {
        inotify_event event{};
        std::memcpy(&event, buffer.data() + at, sizeof(event));
        const char* const name = buffer.data() + at + sizeof(event);
        note(event, event.len > 0 ? std::string_view(name, ::strnlen(name, event.len)) : std::string_view(),
             changes);
        at += static_cast<ssize_t>(sizeof(event) + event.len);
      }
    }
    if (failure_ || changes.paths.size() > most_named_changes) changes.unknown = true;
    if (changes.unknown) changes.paths.clear();
    return changes;
  }

  int descriptor() const override { return queue_.get(); }

  const std::optional<Error>& failure() const override { return failure_; }

 private:
  enum class Place { inside, above, linked_file };
  struct Watched {
    std::string path;
    Place place = Place::inside;
    std::pair<dev_t, ino_t> identity{};  // of a folder inside
  };

  bool fail(const std::string& message) {
    failure_ = Error{message, {}};
    return false;
  }

  bool add(const std::string& path, Place place, std::pair<dev_t, ino_t> identity = {}) {
    const std::uint32_t events =
        folder_events | (place == Place::linked_file ? 0U : IN_ONLYDIR) | IN_MASK_ADD;
    const int number = ::inotify_add_watch(queue_.get(), path.c_str(), events);
    if (number < 0) return false;
    watched_.try_emplace(number, Watched{path, place, identity});
    return true;
  }

  // The folder and all in it. False: it cannot be watched, failure_ says why.
  bool add_tree(const std::string& folder, std::size_t depth) {
    struct stat status {};
    // One that went meanwhile is told by its parent's events.
    if (::stat(folder.c_str(), &status) != 0) return depth > 0 || fail("cannot read " + folder);
    if (!seen_.insert({status.st_dev, status.st_ino}).second) return true;
    if (depth > deepest) return fail(fmt::format("{} lies more than {} folders deep", folder, deepest));
    if (seen_.size() > most_folders) {
      return fail(fmt::format("there are more than {} folders", most_folders));
    }
    if (status.st_dev != device_ && is_shared(folder))
      return fail(folder + " is on a file system that other machines may change");
    device_ = status.st_dev;
    // Before it is read, so that nothing that comes meanwhile is missed.
    if (!add(folder, Place::inside, {status.st_dev, status.st_ino})) {
      if (errno == ENOENT || errno == ENOTDIR) return true;
      return fail(fmt::format("cannot watch {}: {}", folder,
                              errno == ENOSPC ? "the kernel's limit of watches is reached (sysctl "
                                                "fs.inotify.max_user_watches)"
                                              : std::strerror(errno)));
    }
    DIR* const entries = ::opendir(folder.c_str());
    if (entries == nullptr) return errno == ENOENT || fail("cannot read " + folder);
    bool all = true;
    while (all) {
      const dirent* const entry = ::readdir(entries);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || is_among(version_control, name)) continue;
      all = add_entry(folder + '/' + std::string(name), entry->d_type, depth);
    }
    ::closedir(entries);
    return all;
  }

  bool add_entry(const std::string& path, unsigned char type, std::size_t depth) {
    if (type == DT_REG) return true;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return true;  // a dangling link; what makes it whole is not seen
    if (S_ISDIR(status.st_mode)) return add_tree(path, depth + 1);
    if (type == DT_LNK && S_ISREG(status.st_mode)) (void)add(path, Place::linked_file);
    return true;
  }

  void note(const inotify_event& event, std::string_view name, ProjectChanges& changes) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      changes.unknown = true;
      return;
    }
    const auto found = watched_.find(event.wd);
    if (found == watched_.end()) return;
    const Watched watched = found->second;
    if ((event.mask & IN_IGNORED) != 0) {
      seen_.erase(watched.identity);  // the next folder may get the same inode
      watched_.erase(found);
      return;
    }
    if (watched.place == Place::above) {
      if (is_among(configuration, name)) changes.unknown = true;
      return;
    }
    if (name.empty()) {  // the folder or the linked file itself
      if (watched.place == Place::linked_file) {
        changes.paths.insert(watched.path);
      } else if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0) {
        changes.unknown = true;
      }
      return;
    }
    if (is_among(version_control, name)) return;
    const std::string path = watched.path + '/' + std::string(name);
    const bool is_folder = (event.mask & IN_ISDIR) != 0;
    if (is_folder && (event.mask & IN_ATTRIB) != 0) return;
    if (is_folder || is_link(path)) {
      changes.unknown = true;
      if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0) add_entry(path, DT_UNKNOWN, 1);
      return;
    }
    changes.paths.insert(path);
  }

  static bool is_link(const std::string& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  }

  Descriptor queue_;
  std::unordered_map<int, Watched> watched_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  dev_t device_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<ProjectWatch>> ProjectWatch::start(const std::string& root) {
  Descriptor queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!queue) return system_error("watch", root, errno);
  auto watch = std::make_unique<InotifyWatch>(std::move(queue));
  if (std::optional<Error> failure = watch->start(root)) return std::move(*failure);
  return std::unique_ptr<ProjectWatch>(std::move(watch));
}

}  // namespace symbols::files
