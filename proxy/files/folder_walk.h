// From a folder on the command line, or a list of paths, to the files that a server is asked about.
#pragma once

#include <dirent.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/files/regular_file.h"

namespace symbols::files {

struct FolderLimits {
  std::size_t files = 100'000;      // found; more are a folder named by mistake
  std::size_t depth = 256;          // folders below the one that is walked
  std::size_t entries = 2'000'000;  // looked at, known or not
};

struct FoundFiles {
  // The folder as it was given, `/`, and the way down. Each folder's entries are in the order of their names'
  // bytes, a subfolder's files in its place.
  std::vector<std::string> files;
  // The folder itself, canonical. With the way down from there instead of the folder as it was given, the
  // path of a file had no symbolic link in it.
  fs::path root{};
  // Known files that rules leave out (not those in ignored folders), to explain why no file was found.
  std::size_t ignored = 0;
  // What else was not read: subfolders, with the reason. The rest was.
  std::vector<Error> errors;
  // Ignore files that are not honoured, with the reason.
  std::vector<std::string> notes;
};

// Whether some server answers for this file, asked of regular files only; from its path alone, best.
using KnownFile = std::function<bool(const fs::path&)>;

// The files below `folder` for which `known` says so, but for hidden ones, node_modules, what `ignored` says
// and what .gitignore files and .git/info/exclude say: of the repository around `folder` too, or without one
// of `folder` and below. A repository inside of another goes by its own rules alone. Where .git is a file (a
// worktree, a submodule), info/exclude lies elsewhere and is not read. `folder` itself is always walked, and
// may be a link; with `symlinks` refused a link in its path is an error. Links inside are never followed: a
// target inside has its own name, and one outside would let an untrusted folder choose what is read. Errors:
// `folder` cannot be read or is none; a limit on files or entries is passed.
Result<FoundFiles> find_source_files(const std::string& folder, const KnownFile& known,
                                     const FolderLimits& limits = {}, const IgnoredPaths& ignored = {},
                                     Symlinks symlinks = Symlinks::follow);

// The kind of an entry of the open folder `listing` as in d_type, also where the file system does not tell
// it; a link is DT_LNK. DT_UNKNOWN: it has gone.
unsigned char kind_of(DIR* listing, const dirent& entry);

// Calls `take` for each name in the open `folder` until it returns false; it may remove them. Whether it was
// true for all; false, with errno, also where the folder cannot be read.
bool each_entry(const Descriptor& folder, const std::function<bool(const char* name)>& take);

// A list of paths in a file, as `find`, `git ls-files` and build systems write it. At most a million paths of
// 256 bytes. A list is kept in memory as a whole, as a split into shards needs all of it.
inline constexpr std::size_t max_path_list_bytes = std::size_t{256} << 20;

enum class PathSeparator { newline, nul };

// The paths in `text`, in its order; empty ones are skipped. With newlines a CR before one is part of the
// separator. Errors, which name `name` and the line (with NUL the number of the path): a path longer than the
// system's limit; `-`, which would be standard input; a NUL byte in a list of lines.
Result<std::vector<std::string>> parse_path_list(std::string_view text, PathSeparator separator,
                                                 const std::string& name);

// Reads the list in the file `path`, which may be a pipe, or in standard input where `path` is `-`. Errors:
// the system's, a list above max_path_list_bytes, and those of parse_path_list.
Result<std::vector<std::string>> read_path_list(const std::string& path, PathSeparator separator);

}  // namespace symbols::files
