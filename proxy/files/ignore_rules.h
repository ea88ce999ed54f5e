// What a folder walk leaves out: the rules of .gitignore files, read as gitignore(5) says, and the paths that
// settings leave out, given by the caller in the same language.
//
// Evaluated here and not by a library or by git, as the folder is not trusted and the answer should be git's:
// - git itself runs programs that the repository's configuration names (core.fsmonitor).
// - libgit2 answers otherwise than git where a nested file takes a folder back in that an outer one leaves
//   out (its issue 7284, open for 1.9.2), and drops some negations; it waits for ever where a .gitignore is a
//   named pipe, follows one that is a symbolic link out of the folder, and parses the configuration.
// - Over 2,200 generated trees of 119,000 files with odd rules, libgit2 1.5.1 gave other files than git 2.39
//   for nearly half of the trees; what is here, for none.
//
// Nothing is read but .gitignore and .git/info/exclude, as regular files of bounded size. git's configuration
// is not: a folder gives the same files to everybody, and a person's core.excludesFile has no say.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::files {

// Whether the whole of `path` matches the whole of `pattern`, in the language of gitignore(5): `?` `*` `**`
// `[…]` and `\`. Both are bytes; `path` has `/` between its parts and none at either end. `*`, `?` and `[…]`
// never match a `/`. `**` at the start or after a `/`, and at the end or before a `/`, matches any number of
// folders; elsewhere it is one `*`. In `[…]`: ranges, `!` or `^` first for the opposite, `[:alpha:]` and its
// kin for ASCII. A pattern that is cut short (`[a`, a last
// `\`) matches nothing. Takes no more than |pattern| · |path| steps for each `/` of the path, whatever the
// pattern.
bool ignore_glob_matches(std::string_view pattern, std::string_view path);

enum class IgnoreVerdict {
  unmatched,  // no rule speaks of the path
  ignored,
  included,  // by a negated rule: outer files' rules no longer count
};

// The rules of one file.
class IgnoreRules {
 public:
  IgnoreRules() = default;

  // Takes the whole file; its bytes need not be UTF-8. Every text is a valid set of rules: a line that can
  // match nothing is no error in git either.
  explicit IgnoreRules(std::string_view text);

  bool empty() const { return patterns_.empty(); }

  // What the last matching rule says of `path`, relative to the folder of the rules, without `/` at its ends.
  // Says nothing of the folders above `path`: who walks does not enter an ignored one.
  IgnoreVerdict verdict(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    std::string glob{};
    bool negated = false;
    bool folders_only = false;
    bool name_only = false;  // without `/`: matches the last part of a path at any depth
  };

  void add_line(std::string_view line);

  std::vector<Pattern> patterns_;
};

// The largest rules file that is read, far above any in use.
inline constexpr std::size_t max_ignore_file_bytes = std::size_t{256} << 10;

// The rules in the .gitignore or info/exclude at `path`, absolute and normal; none where there is no such
// file. Errors, which call it `name`, or `path` where that is empty: read_regular_file's. A .gitignore that
// is a symbolic link is one, as it is not honoured by git.
Result<IgnoreRules> read_ignore_file(const std::string& path, const std::string& name = {});

// The rules that hold in the folder a walk has come to: those of the folders above it, innermost last.
class IgnoreStack {
 public:
  // A state to come back to when the walk leaves a folder.
  struct Mark {
    std::size_t levels = 0;
    std::size_t repository = 0;
  };

  Mark mark() const { return {levels_.size(), repository_}; }
  void restore(Mark mark);

  // From here on is another repository, where the rules pushed so far do not hold.
  void enter_repository() { repository_ = levels_.size(); }

  // Adds rules that win over those pushed before. Their folder is the first `folder_length` bytes of the
  // paths that ignores() is asked about: 0, or up to and with a `/`.
  void push(IgnoreRules rules, std::size_t folder_length);

  // Whether the innermost rules that speak of `path` ignore it.
  bool ignores(std::string_view path, bool is_folder) const;

 private:
  struct Level {
    IgnoreRules rules;
    std::size_t folder_length = 0;
  };

  std::vector<Level> levels_;
  std::size_t repository_ = 0;  // the first level of the innermost repository
};

// Paths that a person's or a project's settings leave out of folders, beside what .gitignore files do.
// Patterns add up: none takes back what a .gitignore file or the patterns of another folder leave out.
class IgnoredPaths {
 public:
  // Patterns of gitignore(5) that hold for what is in `folder`, which is canonical.
  void add(const std::filesystem::path& folder, const std::vector<std::string>& patterns);
  void add(const IgnoredPaths& others);

  bool empty() const { return levels_.empty(); }
  // Whether `path`, absolute, is ignored. Says nothing of the folders above it: who walks does not enter an
  // ignored one.
  bool ignores(std::string_view path, bool is_folder) const;
  // Whether the file at `path`, absolute, or a folder above it is ignored.
  bool leaves_out(std::string_view path) const;

 private:
  struct Level {
    std::string folder;  // ends in `/`
    std::string text;
    IgnoreRules rules;
  };

  void add(Level level);

  std::vector<Level> levels_;
};

}  // namespace symbols::files
