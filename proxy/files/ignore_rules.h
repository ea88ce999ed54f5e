// What a folder walk leaves out: the rules of .gitignore files, read as gitignore(5) says, and the paths that
// settings leave out, given by the caller in the same language.
//
// Evaluated here, as the folder is not trusted: git itself runs programs that the repository's configuration
// names (core.fsmonitor). libgit2 reads that too, follows a .gitignore that is a link out of the folder,
// waits for ever for one that is a pipe, and takes exceptions otherwise than git (its issue 7284, open for
// 1.9.2): 1.5.1 gave other files for nearly half of 2,200 generated trees with odd rules, this for none.
//
// Nothing is read but .gitignore and .git/info/exclude, as regular files of bounded size. git's configuration
// is not: a folder gives the same files to everybody, and a person's core.excludesFile has no say.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"

namespace re2 {
class RE2;
}

namespace symbols::files {

enum class IgnoreVerdict {
  unmatched,  // no rule speaks of the path
  ignored,
  included,  // by a negated rule: outer files' rules no longer count
};

// The rules of one file, in the language of gitignore(5); paths and patterns are bytes.
class IgnoreRules {
 public:
  IgnoreRules() = default;

  // Takes the whole file. Every text is valid: a line that can match nothing is not an error in git either.
  explicit IgnoreRules(std::string_view text);

  bool empty() const { return runs_.empty(); }
  // False: lines are missing, for all would take too much memory.
  bool is_whole() const { return is_whole_; }

  // What the last matching rule says of `path`, relative to the folder of the rules, without `/` at its ends.
  // Says nothing of the folders above `path`: a walk does not enter an ignored one. Time grows with the size
  // of the rules times that of the path, whatever they are.
  IgnoreVerdict verdict(std::string_view path, bool is_folder) const;

 private:
  // Consecutive lines with the same verdict, as one expression.
  struct Run {
    IgnoreVerdict verdict;
    std::shared_ptr<const re2::RE2> lines;
  };

  void end_run(std::string& expression, IgnoreVerdict verdict);

  std::vector<Run> runs_;
  bool is_whole_ = true;
};

// The text of a .gitignore file with these lines.
std::string ignore_text(const std::vector<std::string>& patterns);

// The largest rules file that is read, far above any in use.
inline constexpr std::size_t max_ignore_file_bytes = std::size_t{256} << 10;

// The rules in the .gitignore or info/exclude at `path`, absolute and normal; none where there is no such
// file. Errors, which call it `name`, or `path` where that is empty: read_regular_file's, and rules that are
// not whole. A .gitignore that is a symbolic link is an error, as it is not honoured by git.
Result<IgnoreRules> read_ignore_file(const std::string& path, const std::string& name = {});

// Paths that a person's or a project's settings leave out of folders, beside what .gitignore files do.
// Patterns add up: none takes back what a .gitignore file or the patterns of another folder leave out.
class IgnoredPaths {
 public:
  // Patterns of gitignore(5) that hold for what is in `folder`, which is canonical. Their rules are whole.
  void add(const fs::path& folder, const std::vector<std::string>& patterns);
  void add(const IgnoredPaths& others) { rules_.insert(others.rules_.begin(), others.rules_.end()); }

  bool empty() const { return rules_.empty(); }
  // Whether `path`, absolute, is ignored. Folders above it do not count: a walk does not enter ignored ones.
  bool ignores(std::string_view path, bool is_folder) const;
  // Whether the file at `path`, absolute, or a folder above it is ignored.
  bool leaves_out(std::string_view path) const;

 private:
  std::map<std::pair<std::string, std::string>, IgnoreRules> rules_;  // by folder, ending in `/`, and text
};

}  // namespace symbols::files
