// Replaces a user's file: completely or not at all, always with a backup beside it, and never over a
// concurrent change.
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

// Writes `text` to the file, and creates missing folders. The text replaces the file atomically, after a
// sync, with the file's mode, owner and access list. Returns the path of the backup, FILE.symbols-backup-N
// with the first free N; empty if the file did not exist. Signals that end a program are delayed until it is
// done. Errors: those of check_replaceable, that the file has changed since it was read, and system errors;
// the file is then as before, and nothing is left beside it. `copy`: none for our own unedited files, which
// need no backup.
enum class Copy { keep, none };
Result<std::filesystem::path> replace_file(const FileState& file, std::string_view text,
                                           Copy copy = Copy::keep);

// Removes the file. Errors: those of check_replaceable, that it has changed since it was read, and system
// errors.
Result<void> remove_file(const FileState& file);

}  // namespace symbols::setup
