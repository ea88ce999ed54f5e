#include "proxy/setup/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "proxy/files/file_lock.h"
#include "proxy/files/regular_file.h"

namespace symbols::setup {
namespace {

namespace fs = std::filesystem;

// Configuration written by people is a thousand times smaller.
constexpr std::size_t most_bytes = std::size_t{16} << 20;
constexpr int most_backups = 10000;
// A run that writes holds the folder for milliseconds.
constexpr std::chrono::milliseconds longest_wait{5000};

// Keeps Ctrl-C from interrupting the work halfway. Nothing blocks meanwhile.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ending, signal);
    ::sigprocmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsHeld() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

// A temporary file, removed at the end unless it was kept.
class NewFile {
 public:
  // Never opens an existing file; errno has the reason.
  explicit NewFile(fs::path path, mode_t mode)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)) {}
  ~NewFile() {
    if (file_ && !kept_) ::unlink(path_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool is_open() const { return static_cast<bool>(file_); }
  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

  // Writes and syncs the text, with mode, owner and access list of `like` if that exists.
  Result<void> fill(std::string_view text, const FileState& like) {
    while (!text.empty()) {
      const ssize_t written = ::write(file_.get(), text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return files::system_error("write", path_.string(), errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (like.exists) {
      if (const Result<void> taken = take_access(like); !taken) return taken;
    }
    if (::fsync(file_.get()) != 0) return files::system_error("write", path_.string(), errno);
    return {};
  }

  // Whether `status` is that of this file, whatever its name is now.
  bool is_this(const struct stat& status) const {
    struct stat own {};
    return ::fstat(file_.get(), &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino;
  }

 private:
  Result<void> take_access(const FileState& like) {
    struct stat own {};
    if (::fstat(file_.get(), &own) == 0 &&
        (own.st_uid != like.status.st_uid || own.st_gid != like.status.st_gid) &&
        ::fchown(file_.get(), like.status.st_uid, like.status.st_gid) != 0) {
      return files::system_error("keep the owner of the file in", path_.string(), errno);
    }
    // With an access list, the group bits are its mask, so neither has a meaning without the other.
    constexpr const char* name = "system.posix_acl_access";
    std::array<char, 65536> list;  // the maximum size of an attribute
    const ssize_t size = ::getxattr(like.target.c_str(), name, list.data(), list.size());
    if (size < 0 && errno != ENODATA && errno != ENOTSUP)
      return files::system_error("read the access list of", like.target.string(), errno);
    // New files may inherit one from the folder.
    if (size < 0 && ::fremovexattr(file_.get(), name) != 0 && errno != ENODATA && errno != ENOTSUP)
      return files::system_error("keep the access list in", path_.string(), errno);
    if (::fchmod(file_.get(), like.status.st_mode & 07777) != 0)
      return files::system_error("keep the mode in", path_.string(), errno);
    if (size > 0 && ::fsetxattr(file_.get(), name, list.data(), static_cast<std::size_t>(size), 0) != 0)
      return files::system_error("keep the access list in", path_.string(), errno);
    return {};
  }

  fs::path path_;
  Descriptor file_;
  bool kept_ = false;
};

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Error changed_meanwhile(const FileState& file) {
  return {fmt::format("cannot write {}: it changed while this program ran", file.path.string()),
          "run this again"};
}

// Whether the name still refers to the file that was read, and the file is unchanged.
bool is_unchanged(const FileState& file) {
  struct stat now {};
  if (::lstat(file.path.c_str(), &now) != 0) return !file.exists;
  if (!file.exists) return false;
  std::error_code failure;
  if (S_ISLNK(now.st_mode) ? fs::canonical(file.path, failure) != file.target : file.path != file.target)
    return false;
  return ::lstat(file.target.c_str(), &now) == 0 && is_same(now, file.status);
}

// Syncs the folder, so the new name survives a power cut. Some file systems cannot, which is not an error.
void sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) (void)::fsync(opened.get());
}

// Gives the new file its name, but never replaces an existing file: errno is EEXIST then.
bool take_free_name(const NewFile& file, const fs::path& name) {
  if (::renameat2(AT_FDCWD, file.path().c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // The file system does not support this, so the file has two names for a moment.
  return ::link(file.path().c_str(), name.c_str()) == 0 && ::unlink(file.path().c_str()) == 0;
}

// An unused name beside the file; leftovers of a killed run stay.
fs::path fresh_name(const FileState& file, std::string_view purpose) {
  static int count = 0;
  return file.target.parent_path() / fmt::format(".{}.symbols-{}-{}-{}-{}", file.target.filename().string(),
                                                 purpose, ::getpid(), std::time(nullptr), ++count);
}

Result<fs::path> write_backup(const FileState& file) {
  NewFile copy(fresh_name(file, "copy"), 0600);
  if (!copy.is_open()) return files::system_error("write a backup to", copy.path().string(), errno);
  if (const Result<void> filled = copy.fill(file.text, file); !filled) return filled.error();
  for (int number = 1; number < most_backups; ++number) {
    const fs::path name = fmt::format("{}.symbols-backup-{}", file.target.string(), number);
    if (take_free_name(copy, name)) {
      copy.keep();
      return name;
    }
    if (errno != EEXIST) return files::system_error("write a backup to", name.string(), errno);
  }
  return Error{
      fmt::format("cannot make a backup of {}: there are {} already", file.target.string(), most_backups - 1),
      "remove some of the files *.symbols-backup-*"};
}

// Gives the new file the name of the existing one, which is already copied to `backup`. The two are
// exchanged, so a concurrent change is detected in the old file, and can be put back.
Result<void> take_place(NewFile& fresh, const FileState& file, const fs::path& backup) {
  const char* const ours = fresh.path().c_str();
  const char* const theirs = file.target.c_str();
  if (!is_unchanged(file)) return changed_meanwhile(file);
  if (::renameat2(AT_FDCWD, ours, AT_FDCWD, theirs, RENAME_EXCHANGE) != 0) {
    if (errno == ENOENT) return changed_meanwhile(file);
    // The file system may not support this; then a change since is_unchanged is not detected.
    if ((errno != EINVAL && errno != ENOSYS) || ::rename(ours, theirs) != 0)
      return files::system_error("write", file.target.string(), errno);
    fresh.keep();
    return {};
  }
  fresh.keep();  // its name is now that of the old file
  struct stat out {};
  const Result<std::string> text = files::read_regular_file(ours, most_bytes);
  if (::lstat(ours, &out) == 0 && is_same(out, file.status) && text && *text == file.text) {
    // The file itself becomes the backup, so an editor that has it open and still writes to it loses nothing.
    if (::rename(ours, backup.c_str()) != 0) ::unlink(ours);
    return {};
  }
  if (::renameat2(AT_FDCWD, ours, AT_FDCWD, theirs, RENAME_EXCHANGE) == 0 && ::lstat(ours, &out) == 0 &&
      fresh.is_this(out)) {
    ::unlink(ours);
    return changed_meanwhile(file);
  }
  return Error{
      fmt::format("{} was changed more than once while this program wrote it; one version of it is in {}",
                  file.path.string(), fresh.path().string()),
      "compare the two and keep what you want"};
}

}  // namespace

Result<FileState> look_at_file(const fs::path& path) {
  FileState file;
  file.path = path;
  file.target = path;
  struct stat link {};
  if (::lstat(path.c_str(), &link) != 0) {
    if (errno == ENOENT) return file;
    return files::system_error("read", path.string(), errno);
  }
  if (S_ISLNK(link.st_mode)) {
    std::error_code failure;
    file.target = fs::canonical(path, failure);
    if (failure) {
      return Error{fmt::format("cannot write {}: it is a dangling symbolic link ({})", path.string(),
                               failure.message()),
                   "create the file that it points to, or remove the link"};
    }
  }
  if (::stat(file.target.c_str(), &file.status) != 0)
    return files::system_error("read", path.string(), errno);
  Result<std::string> text = files::read_regular_file(file.target.string(), most_bytes);
  if (!text) return text.error();
  file.exists = true;
  file.text = std::move(*text);
  return file;
}

Result<void> check_replaceable(const FileState& file) {
  if (!file.exists) return {};
  if ((file.status.st_mode & 0222) == 0 || ::access(file.target.c_str(), W_OK) != 0) {
    return Error{fmt::format("cannot write {}: it is write-protected", file.target.string()),
                 "to allow the change, make it writable: chmod u+w"};
  }
  if (file.status.st_nlink > 1) {
    return Error{
        fmt::format("cannot write {}: it has other names (hard links), which would keep the old content",
                    file.target.string()),
        "add the lines by hand"};
  }
  return {};
}

Result<fs::path> replace_file(const FileState& file, std::string_view text, Copy copy) {
  if (const Result<void> allowed = check_replaceable(file); !allowed) return allowed.error();
  const fs::path folder = file.target.parent_path();
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return files::system_error("create the folder", folder.string(), failure.value());
  // One run at a time, so that each sees what the one before it left. A folder that cannot be locked, or is
  // held too long, is written to all the same: take_place() finds changes.
  const Descriptor locked(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (locked) (void)files::lock_within(locked.get(), longest_wait);
  const SignalsHeld held;

  NewFile fresh(fresh_name(file, "new"), file.exists ? 0600 : 0666);
  if (!fresh.is_open()) return files::system_error("write in", folder.string(), errno);
  if (const Result<void> filled = fresh.fill(text, file); !filled) return filled.error();
  if (!is_unchanged(file)) return changed_meanwhile(file);
  fs::path backup;
  if (file.exists) {
    const Result<fs::path> written = write_backup(file);
    if (!written) return written.error();
    backup = *written;
    if (const Result<void> taken = take_place(fresh, file, backup); !taken) {
      ::unlink(backup.c_str());
      return taken.error();
    }
  } else {
    if (!take_free_name(fresh, file.target)) {
      if (errno == EEXIST) return changed_meanwhile(file);
      return files::system_error("write", file.target.string(), errno);
    }
    fresh.keep();
  }
  if (copy == Copy::none && !backup.empty()) {
    ::unlink(backup.c_str());
    backup.clear();
  }
  sync_folder(folder);
  return backup;
}

Result<void> remove_file(const FileState& file) {
  if (const Result<void> allowed = check_replaceable(file); !allowed) return allowed;
  if (!is_unchanged(file)) return changed_meanwhile(file);
  if (::unlink(file.path.c_str()) != 0) return files::system_error("remove", file.path.string(), errno);
  return {};
}

}  // namespace symbols::setup
