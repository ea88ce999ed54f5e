// The configuration in editors/ has program names that fit any machine: `symbols`, `clangd`. This replaces
// them by the paths on this machine. An editor started from a desktop has a different PATH than a shell, and
// Debian may have clangd only as clangd-19.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::setup {

// The path by which to call this program: that of a `symbols` on the PATH if it is this program, because it
// survives a new build or installation; else the program's own file.
struct OwnProgram {
  fs::path path;
  bool is_on_path = false;
};
Result<OwnProgram> own_program(const servers::LookupOptions& options);

// How a configuration's language writes strings.
struct StringForm {
  bool is_doubled = false;  // 'it''s': Kakoune; else "a \"b\" c:\\d": JSON, TOML, YAML, Lua, Emacs Lisp, Vim
  std::string_view separator = ", ";  // between the words of a command
  // How expressions start that its reader expands within strings, separated by spaces, such as "${": a path
  // that contains one cannot be written.
  std::string_view expands = {};
};

// One word of a shell's command line.
std::string shell_word(const std::string& word);

struct LocalCommands {
  std::string program;  // that of own_program()
  std::string folder;   // of the configuration's own files
  const servers::ServerRegistry& registry;
  servers::LookupOptions options;
  // Whether a server that is not installed may be replaced by another one for the same languages.
  bool other_servers;
  // About servers so far: which are not installed and how to install them, which are replaced.
  std::vector<std::string> notes{};

  // JSON, TOML or YAML without escapes, with commands as lists of strings: each string "symbols" that is not
  // a member's name becomes the program, and the strings between "--" and the end of the list become the
  // command of that server. Error: a path that cannot be written.
  Result<std::string> in_lists(std::string_view text, const StringForm& form = {});

  // A text with placeholders and no other @:
  //   @program@, @folder@             as a string
  //   @file NAME@                     the path of a file in that folder, as a string
  //   @command clangd --log=error@    the words of the server's command, as strings
  //   @server clangd@                 only its program, and no other server
  //   @line clangd@                   the command as one string for a shell
  Result<std::string> in_places(std::string_view text, const StringForm& form);

 private:
  std::vector<std::string> at_place(std::string_view place);
  std::vector<std::string> server(std::vector<std::string> words, bool may_be_another);
  void note(std::string text);
  void note_interpreter(const std::string& script);
};

}  // namespace symbols::setup
