// The folders in which a compiler has to look for a project's own headers, found from the paths of its files:
// for a project that comes without its compile flags.
//
//   src/run.cc       #include "net/socket.h"     no src/net/socket.h, so not beside it
//   lib/net/socket.h                             ends in /net/socket.h: -iquote lib
//
// Rules. A name in quotes that lies beside its includer needs no folder. Folders that were found are tried
// before others are looked for, as the compiler will. Of several files that end in the name the nearest is
// taken: the one whose path has most folders in common with the includer's, then one in a folder called
// include, then the shortest, then the first by name. <stdio.h> and its like are the system's. The project's
// headers are read in turn for what they include.
//
// Nothing of the project is run, links are not followed, and all folders lie in it. Cost: one walk over the
// project, and each file that is included is read once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace symbols::servers {

struct IncludeFolder {
  std::string path;        // relative to the root; empty: the root
  bool is_angled = false;  // a name in <> needs it: -I, else -iquote, which cannot hide the system's headers

  bool operator==(const IncludeFolder&) const = default;
};

// Single-threaded. What it has read does not change until forget(): make a new one to see files that came or
// went.
class ProjectHeaders {
 public:
  struct Limits {
    std::size_t files = 50'000;                      // of the project
    std::size_t entries = 200'000;                   // of its folders, looked at
    std::size_t max_read = 2'000;                    // files that one file includes, directly or not
    std::size_t max_folders = 100;                   // that one file needs
    std::size_t max_lookups = 5'000'000;             // of files of the project, for one file
    std::size_t max_bytes = std::size_t{256} << 20;  // read for one file
    std::size_t max_header = std::size_t{4} << 20;   // one that is longer counts as if it included nothing
  };

  // `root`: canonical.
  explicit ProjectHeaders(std::filesystem::path root) : ProjectHeaders(std::move(root), Limits()) {}
  ProjectHeaders(std::filesystem::path root, Limits limits) : root_(std::move(root)), limits_(limits) {}

  // What `file`, relative to the root, needs, in the order in which it is to be searched. None if the project
  // is beyond a limit: half of the folders would be a wrong guess.
  std::optional<std::vector<IncludeFolder>> folders_for(const std::string& file);

  // The text of `file`, relative to the root, which need not exist.
  void set_text(const std::string& file, std::string_view text);

  // The text of `file`, relative to the root, has changed.
  void forget(const std::string& file) { names_.erase(file); }

  enum class Dialect { unknown, c, cpp };
  // What a `.h` is written in: what most sources are in the nearest folder above it that has any below it.
  // Unknown where they are in Objective-C too, or there are none.
  Dialect dialect_of_header(const std::string& file);

 private:
  struct Sources {
    std::size_t c = 0;
    std::size_t cpp = 0;
    std::size_t others = 0;
  };

  bool walk();
  void count_source(const std::string& file);
  bool has(const std::string& file);
  const std::vector<std::string>* names_in(const std::string& file);
  // The file of the project that `name` is when `includer` includes it, and the folder that this needs;
  // empty: none.
  std::string resolve(std::string_view name, const std::string& includer,
                      std::vector<IncludeFolder>& folders);

  std::filesystem::path root_;
  Limits limits_;
  std::optional<bool> walked_;                                         // whether it was within the limits
  std::unordered_map<std::string, std::vector<std::string>> by_name_;  // paths, by their last component
  std::unordered_set<std::string> paths_;
  std::map<std::string, Sources> sources_;                           // below each folder
  std::unordered_map<std::string, std::vector<std::string>> names_;  // that each file includes
  std::size_t bytes_ = 0;
  std::size_t lookups_ = 0;
};

}  // namespace symbols::servers
