// What `symbols setup` knows of each editor and agent harness: which files it reads, and how what is shipped
// in editors/NAME/ gets into them. To add one is to add an entry to setup_targets.cc and its files to
// editor_files.cmake.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "proxy/files/user_folders.h"
#include "proxy/setup/jsonc_text.h"
#include "proxy/setup/local_commands.h"
#include "proxy/setup/settings_merge.h"

namespace symbols::setup {

// A path below one of the user's folders.
struct SetupPlace {
  files::UserFolder folder;
  std::string_view path;
  // What has to be there, below the same folder, for the program to look at that path; empty: the path
  // itself.
  std::string_view if_there = {};
};

struct SetupPiece {
  enum class Kind {
    folder,  // all shipped files below `source`, as they are, into the target's own folder
    file,    // the shipped file, whole, with its places filled in, into the target's own folder
    json,    // `members` of the shipped file put into the user's
    lines    // the shipped lines between marks in the user's file
  };
  Kind kind;
  std::string_view source;  // below editors/; of a folder with the slash at its end

  std::string_view path = {};  // of file: below the target's own folder
  bool has_places = false;     // LocalCommands::in_places, else in_lists (JSON, TOML, YAML)
  Quoting quoting = Quoting::backslash;
  std::string_view separator = ", ";  // between the words of a command in places

  // Of json and lines: where the user's file may be, in the order in which the program looks for it. The
  // first whose `if_there` is there is taken, else `usual`.
  std::vector<SetupPlace> places = {};
  std::size_t usual = 0;

  JsonDialect dialect = JsonDialect::strict;  // what the program itself can read
  std::vector<SetupMember> members = {};

  // What begins something that the program replaces within strings (LocalCommands::reader_expands).
  std::vector<std::string_view> expands = {};

  std::string_view comment = {};  // what begins a comment
  enum class Check { none, toml, yaml };
  Check check = Check::none;
  bool must_exist = false;  // the program would not start with a file that has nothing else
};

struct SetupTarget {
  std::string_view name;
  std::string_view title;
  std::vector<SetupPiece> pieces;  // none: there is nothing to write, and `next` says what to do
  SetupPlace own_folder = {files::UserFolder::data, ""};  // of files of ours
  // Others instead of it: the first whose `if_there` is there.
  std::vector<SetupPlace> other_folders = {};
  bool other_servers =
      true;  // whether a server that is not here may be replaced by another for the same languages
  bool has_table = false;  // whether each piece has another form for `--table`, in a folder `table` beside it
  // What is left to do for the person, in a sentence or two without a full stop at the end; may be empty.
  std::string_view next = {};

  // The piece whose file `--to` chooses another place for; null where it is the own folder.
  const SetupPiece* configuration() const;
};

// In the order in which they are listed.
const std::vector<SetupTarget>& setup_targets();

// The one of that name, or null.
const SetupTarget* setup_target(std::string_view name);

}  // namespace symbols::setup
