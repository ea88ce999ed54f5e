// The configuration in editors/ names programs as anybody's machine has them: `symbols`, `clangd`. Here these
// become the paths that they have on this one. An editor that is started from a desktop has another PATH than
// a shell, and Debian's clangd may be called clangd-19 alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"

namespace symbols::setup {

// The path by which this program is to be called: where a `symbols` on the PATH is this very program, that
// one, which stays when the program is built or installed anew; else the program's own file.
struct OwnProgram {
  std::filesystem::path path;
  bool is_on_path = false;
};
Result<OwnProgram> own_program(const servers::LookupOptions& options);

// How strings are written in a configuration's language.
enum class Quoting {
  backslash,  // "a \"b\" c:\\d": JSON, TOML, YAML, Lua, Emacs Lisp, Vim
  doubled     // 'it''s': Kakoune
};

// One word of a shell's command line.
std::string shell_word(const std::string& word);

class LocalCommands {
 public:
  // `registry` must outlive this. `folder`: where a configuration's own files lie. `other_servers`: whether a
  // server that is not here may be replaced by another one for the same languages.
  LocalCommands(std::string program, std::string folder, const servers::ServerRegistry& registry,
                servers::LookupOptions options, bool other_servers);

  // What begins something that the reader of the configuration replaces within strings, such as "${": a path
  // with that in it cannot be written. Counts from now on.
  void reader_expands(std::vector<std::string_view> beginnings) { expanded_ = std::move(beginnings); }

  // JSON, TOML or YAML, with commands as lists of strings: each string "symbols" that is no name of a member
  // becomes the program, and what stands between "--" and the end of its list the command of that server.
  // `comment`: what begins a comment there. Error: a path that cannot be written.
  Result<std::string> in_lists(std::string_view text, std::string_view comment);

  // A text with places for them:
  //   @program@, @folder@             as a string
  //   @file NAME@                     the path of a file in that folder, as a string
  //   @command clangd --log=error@    the words of the server's command, as strings with `separator` between
  //   @server clangd@                 its program alone, and no other server
  //   @line clangd@                   the command as one string for a shell
  Result<std::string> in_places(std::string_view text, Quoting quoting, std::string_view separator);

  // What there is to say of servers so far: which are not here and how to get them, which are replaced.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Result<std::string> quoted_word(std::string_view word, Quoting quoting) const;
  Result<std::string> quoted_words(const std::vector<std::string>& words, Quoting quoting,
                                   std::string_view separator) const;
  std::vector<std::string> server(std::vector<std::string> words, bool other_servers);
  void note(std::string text);
  void note_interpreter(const std::string& program);

  std::string program_;
  std::string folder_;
  const servers::ServerRegistry& registry_;
  servers::LookupOptions options_;
  bool other_servers_;
  std::vector<std::string_view> expanded_;
  std::vector<std::string> notes_;
};

}  // namespace symbols::setup
