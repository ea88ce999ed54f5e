// The files that differ between two states of a git repository, as texts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "proxy/files/source_text.h"

namespace symbols::engine {

struct ChangedFile {
  std::string path;                           // absolute; where it was, if it is gone
  std::string moved_from{};                   // the absolute path before; empty: the same
  std::optional<files::SourceText> before{};  // none: there was no such file
  std::optional<files::SourceText> after{};   // none: it is gone
};

inline constexpr std::string_view no_known_language = "is in no known language";

struct GitChanges {
  std::string root;  // of the work tree, absolute
  std::string
      revision;  // what it was compared with: a commit, as it was named, or "nothing" before the first
  std::string commit{};              // git's name of it
  std::vector<ChangedFile> files{};  // in the order of their paths
  // Paths that differ too, absolute, each with the reason why there is no text: "is a submodule",
  // no_known_language.
  std::vector<std::pair<std::string, std::string>> others{};
  bool is_whole = true;  // false: the text of a file that is wanted was not looked at
};

// The limits of what is read; what lies beyond is among the others.
inline constexpr std::size_t max_changed_files = 2000;
inline constexpr std::size_t max_changed_bytes = std::size_t{128} << 20;

// The state of the repository that is compared with a commit.
enum class Compared {
  tracked_files,  // of the work tree
  work_tree,      // but for ignored files
  index,          // what is staged
};

// The files of the repository around `folder`, absolute, that differ from the commit `revision` (empty: the
// last one). `wanted`: whether a
// path's text is wanted. `may_read`: whether anything may be told of the work tree with this root; empty: of
// any. Errors: there is no git, or no repository; it may not be read; there is no such commit; git's own.
//
// The repository is not trusted. git finds it and the commit with its configuration; it compares without
// that, of the user and the system too, so that no hook, filter, fsmonitor or other program is run. Nothing
// is written or fetched, and of submodules only the commit is looked at.
Result<GitChanges> git_changes(const std::string& folder, const std::string& revision, Compared compared,
                               const std::function<bool(const std::string& path)>& wanted,
                               const std::function<bool(const std::string& root)>& may_read = {});

}  // namespace symbols::engine
