// The editors and agent harnesses of `symbols setup`: which files each one reads, and how the files in
// editors/NAME/ get into them. To add one, edit setup_targets.cc and editor_files.cmake.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/setup/local_commands.h"

namespace symbols::setup {

// A file of editors/ that `symbols setup` writes or prints. Its name: below editors/,
// "opencode/opencode.json".
using EditorFile = EmbeddedFile;

// All of them, in the order of proxy/setup/editor_files.cmake, by which they are built into the program.
std::span<const EditorFile> editor_files();

// The one of that name, or null.
const EditorFile* editor_file(std::string_view name);

// A path below one of the user's folders.
struct SetupPlace {
  files::UserFolder folder;
  std::string_view path;
  // Must exist, below the same folder, for the program to read that path; if empty, the path itself.
  std::string_view if_there = {};
};

// In the program's search order. The first place whose `if_there` exists is used, else the last one.
using SetupPlaces = std::vector<SetupPlace>;

enum class JsonDialect {
  strict,        // as in RFC 8259
  with_comments  // also `//` and `/* */`, and a comma after the last member or element
};

// A shipped text whose name starts with "setup." has placeholders (LocalCommands::in_places). Of others, the
// programs in lists of strings are replaced (LocalCommands::in_lists).
struct SetupPiece {
  enum class Kind {
    folder,  // copies all shipped files below `source`, as they are, into the target's own folder
    file,    // copies the shipped file, with this machine's paths, into the target's own folder
    json,    // sets the members of the shipped file in the user's
    lines,   // puts the shipped lines between marks into the user's file
    by_hand  // prints the shipped lines, for the user to add
  };
  Kind kind;
  std::string_view source;  // below editors/; a folder ends with a slash

  std::string_view path = {};  // of file: below the target's own folder; if empty, as below editors/NAME/
  StringForm strings = {};
  SetupPlaces places = {};                    // of the user's file
  JsonDialect dialect = JsonDialect::strict;  // what the program can read
  std::string_view comment = {};              // of lines: the start of a comment
};

struct SetupTarget {
  std::string_view name;
  // True if it accepts `symbols mcp` as a server of tools, false if language servers behind `symbols proxy`.
  // A harness that accepts both has two entries.
  bool is_mcp = false;
  std::vector<SetupPiece> pieces;  // none: there is nothing to write, and `next` says what to do
  SetupPlaces own_folder = {};     // of files of ours
  // Whether a server that is not installed may be replaced by another for the same languages.
  bool other_servers = true;
  bool has_table = false;  // whether each piece has another form for `--table`, in a folder `table` beside it
  // The harness's own command that adds a server of tools, up to the server's; if the harness is installed,
  // setup prints or runs it instead of planning files. May be empty.
  std::string_view add_command = {};
  // The user's next step, in a sentence or two without a full stop at the end; may be empty.
  std::string_view next = {};

  // The piece whose file `--to` moves; null if `--to` moves the own folder.
  const SetupPiece* configuration() const;
};

// All of them, in listing order: first those of language servers.
const std::vector<SetupTarget>& setup_targets();

// The one of that name, or null. `mcp`: the one that takes tools; else the other, if there is one.
const SetupTarget* setup_target(std::string_view name, bool mcp = false);

// The arguments of `symbols setup`: the name, and --mcp if another target has that name.
std::string setup_words(const SetupTarget& target);

}  // namespace symbols::setup
