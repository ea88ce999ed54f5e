// Writing a file that is somebody's own: whole or not at all, never without what was there kept beside it,
// and never over a change that was made meanwhile.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// A file as it was when it was looked at.
struct FileState {
  std::filesystem::path path;    // as it was named
  std::filesystem::path target;  // the file itself, symbolic links followed
  bool exists = false;
  std::string text;       // empty where it does not exist
  struct stat status {};  // of the target, where it exists
};

// Reads `path`; that it is not there is no error. Errors: it is no regular file, too large, not to be read,
// or a symbolic link to nothing.
Result<FileState> look_at_file(const std::filesystem::path& path);

// Whether the file may be replaced, as far as that can be told without doing it. Error: it is
// write-protected, or has another name (a hard link), which would keep the old content.
Result<void> check_replaceable(const FileState& file);

// Writes `text` to the file, whose folders are made where they are absent. It appears under the file's name
// all at once, on the disk, with the mode, the owner and the access list that the file had. Returns the path
// of the copy of what was there, FILE.symbols-backup-N for the first N that is free; empty where nothing was.
// Signals that end a program wait until it is done. Errors: check_replaceable's, that the file is not as it
// was looked at, and what the system says; the file is then as before, and nothing is left beside it. `copy`:
// none is kept of what is our own, and nobody edited.
enum class Copy { keep, none };
Result<std::filesystem::path> replace_file(const FileState& file, std::string_view text,
                                           Copy copy = Copy::keep);

// Takes the file away. Errors: check_replaceable's, that it is not as it was looked at, and what the system
// says.
Result<void> remove_file(const FileState& file);

}  // namespace symbols::setup
