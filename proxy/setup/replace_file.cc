#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "proxy/files/regular_file.h"
#include "proxy/setup/setup_plan.h"

namespace symbols::setup {
namespace {

// Configuration written by people is a thousand times smaller.
constexpr std::size_t max_bytes = std::size_t{16} << 20;

// Writes a file beside `path`, with mode and owner of `like` if that exists, and gives it that name. If this
// process is killed, the file beside it may be left.
Result<void> write_by_rename(const fs::path& path, std::string_view text, const FileState& like) {
  const fs::path fresh =
      path.parent_path() / fmt::format(".{}.symbols-new-{}", path.filename().string(), ::getpid());
  const Descriptor file(
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, like.exists ? 0600 : 0666));
  if (!file) return files::system_error("write in", path.parent_path().string(), errno);
  const bool has_access =
      !like.exists || (::fchown(file.get(), like.status.st_uid, like.status.st_gid) == 0 &&
                       ::fchmod(file.get(), like.status.st_mode & 07777) == 0);
  if (has_access && files::write_all(file, text) && ::fsync(file.get()) == 0 &&
      ::rename(fresh.c_str(), path.c_str()) == 0)
    return {};
  const int failure = errno;
  ::unlink(fresh.c_str());
  return files::system_error(has_access ? "write" : "keep mode and owner of", path.string(), failure);
}

}  // namespace

Result<FileState> look_at_file(const fs::path& path) {
  FileState file{.path = path, .target = path};
  std::error_code failure;
  const fs::file_type type = fs::symlink_status(path, failure).type();
  if (type == fs::file_type::not_found) return file;
  if (type == fs::file_type::symlink) {
    file.target = fs::canonical(path, failure);
    if (failure) {
      return Error{fmt::format("cannot write {}: it is a dangling symbolic link ({})", path.string(),
                               failure.message()),
                   "create the file that it points to, or remove the link"};
    }
  }
  if (::stat(file.target.c_str(), &file.status) != 0)
    return files::system_error("read", path.string(), errno);
  Result<std::string> text = files::read_regular_file(file.target.string(), max_bytes);
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

Result<fs::path> replace_file(const FileState& file, std::string_view text) {
  const fs::path folder = file.target.parent_path();
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return files::system_error("create the folder", folder.string(), failure.value());
  const Result<FileState> now = look_at_file(file.path);
  if (!now || now->target != file.target || now->exists != file.exists || now->text != file.text) {
    return Error{fmt::format("cannot write {}: it changed while this program ran", file.path.string()),
                 "run this again"};
  }
  fs::path backup;
  if (file.exists) {
    backup = file.target.string() + ".symbols-backup";
    const Result<void> kept = write_by_rename(backup, file.text, file);
    if (!kept) return kept.error();
  }
  const Result<void> written = write_by_rename(file.target, text, file);
  if (!written) return written.error();
  return backup;
}

}  // namespace symbols::setup
