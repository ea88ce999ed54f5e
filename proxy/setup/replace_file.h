// Replaces a user's file: completely or not at all, and with a backup beside it.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// A file as it was when it was read.
struct FileState {
  std::filesystem::path path{};    // as given
  std::filesystem::path target{};  // the file itself, symbolic links followed
  bool exists = false;
  std::string text{};     // empty if it does not exist
  struct stat status {};  // of the target, if it exists
};

// Reads `path`; a missing file is not an error. Errors: it is not a regular file, is too large or unreadable,
// or is a dangling symbolic link.
Result<FileState> look_at_file(const std::filesystem::path& path);

// Whether the file may be replaced, as far as that is known in advance. Error: it is write-protected, or has
// another name (a hard link), which would keep the old content.
Result<void> check_replaceable(const FileState& file);

// Writes `text` to the file by a rename, after a sync, with the file's mode and owner; creates missing
// folders. Returns the path of the backup, FILE.symbols-backup, which replaces an older one; empty if the
// file did not exist. Errors: the file has changed since it was read, and system errors; the file is then as
// before.
Result<std::filesystem::path> replace_file(const FileState& file, std::string_view text);

}  // namespace symbols::setup
