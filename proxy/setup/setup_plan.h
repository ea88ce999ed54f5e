// Plans what `symbols setup NAME` writes, without writing anything; and replaces a user's file: completely or
// not at all, and with a backup beside it.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/files/project_root.h"
#include "proxy/setup/local_commands.h"
#include "proxy/setup/setup_targets.h"

namespace symbols::setup {

// A file as it was when it was read.
struct FileState {
  fs::path path{};    // as given
  fs::path target{};  // the file itself, symbolic links followed
  bool exists = false;
  std::string text{};     // empty if it does not exist
  struct stat status {};  // of the target, if it exists
};

// Reads `path`; a missing file is not an error. Errors: it is not a regular file, is too large or unreadable,
// or is a dangling symbolic link.
Result<FileState> look_at_file(const fs::path& path);

// Whether the file may be replaced, as far as that is known in advance. Error: it is write-protected, or has
// another name (a hard link), which would keep the old content.
Result<void> check_replaceable(const FileState& file);

// Writes `text` to the file by a rename, after a sync, with the file's mode and owner; creates missing
// folders. Returns the path of the backup, FILE.symbols-backup, replacing an older one; empty if the file did
// not exist. Errors: the file has changed since it was read, and system errors; it is then as before.
Result<fs::path> replace_file(const FileState& file, std::string_view text);

struct PlannedFile {
  FileState before;
  std::string after;
  std::string lines;  // what is set in a user's configuration; empty for a file of ours

  bool changes() const { return !before.exists || before.text != after; }
};

// Why setup does not write to a user's file, and the lines to be added by hand.
struct SetupRefusal {
  Error error;
  FileState file;
  std::string lines;     // empty if nothing can be added by hand
  bool by_hand = false;  // setup never writes this file
};

struct SetupPlan {
  std::vector<PlannedFile> files;
  // If set, no configuration is written. Our own files may be: the lines to add by hand load them.
  std::optional<SetupRefusal> refusal;
};

// The folder of a target's own files, and the user's file for its configuration (empty if there is none): the
// places in the table, or `to`, an absolute path, if it is not empty.
struct SetupPaths {
  fs::path own_folder;
  fs::path configuration;

  // The one of the two that a user knows.
  const fs::path& place() const { return configuration.empty() ? own_folder : configuration; }
};
Result<SetupPaths> setup_paths(const SetupTarget& target, const files::UserFolders& folders,
                               const fs::path& to);

// `text` as plain JSON of the same length: comments, trailing commas and a byte order mark are spaces. Error:
// it is invalid, as "LINE:COLUMN: reason" (both from 1, the column in bytes).
Result<std::string> read_jsonc(std::string_view text, JsonDialect dialect);

// `users` with the members of `shipped`, which is plain JSON with two spaces per level. A blank text becomes
// the shipped one. Merging again does not change the result.
//
//   an object     its members are merged one by one; missing ones become the first of the user's object
//   objects in    the first member of ours identifies an element: one of the user's with the same value gets
//   an array      our members, or one with some of its strings and a `command` with the same program
//   any other     replaces the user's, unless it differs only in whitespace and comments
//
// Errors name the position in the file (LINE:COLUMN), or the member of another type: the file is not JSON, a
// member is not an object or array as ours is, or is there twice, an element has some of the strings that
// identify ours and not this program.
Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped);

// For a configuration without members to set (init.el, kakrc, languages.toml): `text` with `lines` (which end
// with a newline) between the marks `<comment> >>> symbols` and `<comment> <<< symbols`, replacing an
// existing block, else at the end. Line ends are those of the file. Error, with the line: the existing marks
// are not one pair, or `lines` open a TOML table, `[a.b]`, that the file has already.
Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines);

// Reads the existing files and composes the new ones. `table`: for a target with two configurations, use the
// one that answers with a table.
SetupPlan plan_setup(const SetupTarget& target, const SetupPaths& paths, LocalCommands& commands,
                     bool table = false);

}  // namespace symbols::setup
