// Compile flags for the files of a project that comes without a compilation database: the standard and
// definitions of its build files (build_settings.cc), and the folders in which a compiler has to look for the
// project's own headers, found from the paths of its files:
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
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/filesystem.h"

namespace symbols::servers {

// What a project's build files name plainly of its compile flags. They are read as text, and never run.
struct BuildSettings {
  std::string c_standard{};                // such as "gnu11"; empty: the compiler's own
  std::string cpp_standard{};              // such as "c++17"
  std::vector<std::string> definitions{};  // "NAME" or "NAME=value", of letters, digits, `_` and `.`

  bool operator==(const BuildSettings&) const = default;
};

// Reads the CMakeLists.txt, meson.build, Makefile, Makefile.am and configure.ac in `root` and in the folders
// between it and `file`, which lies in it; the nearest counts. Of definitions only those of CMake, where it
// is plain that they hold on this system. A file that cannot be read counts as empty.
BuildSettings build_settings_for(const fs::path& root, const fs::path& file);

// Beyond one of these nothing is guessed: half of the folders would be a wrong guess.
struct GuessLimits {
  std::size_t files = 50'000;                      // of the project
  std::size_t entries = 200'000;                   // of its folders, looked at
  std::size_t max_read = 2'000;                    // files that one file includes, directly or not
  std::size_t max_folders = 100;                   // that one file needs
  std::size_t max_lookups = 5'000'000;             // of files of the project, for one file
  std::size_t max_bytes = std::size_t{256} << 20;  // read for one file
  std::size_t max_header = std::size_t{4} << 20;   // one that is longer counts as if it included nothing
  std::size_t max_sources = 3'000;                 // in a database: to read them takes clangd minutes
  std::size_t max_database_lookups = 20'000'000;   // for all of it: a few seconds
};

// Single-threaded. What it has read stays until changed(): make a new one to see files that came or went.
class GuessedFlags {
 public:
  // `root`: canonical; the project's folder, outside of which nothing is looked at.
  explicit GuessedFlags(fs::path root, GuessLimits limits = {}) : root_(std::move(root)), limits_(limits) {}

  // For `file`, absolute: only -x of a `.h`, -std, -D of plain names, -I and -iquote of folders in the root,
  // each one word. Empty if none are needed, if the project is beyond a limit, or if the file lies elsewhere.
  std::vector<std::string> flags_for(const fs::path& file);

  // A compile_commands.json of the project's sources, by name, each with its flags; empty where there are
  // none, or the project is beyond a limit. Valid until the next call of another member.
  const std::string& database();

  // The text of `file`, absolute, which need not exist: standard input.
  void set_text(const fs::path& file, std::string_view text);

  // The text of `file`, absolute, has changed.
  void changed(const fs::path& file);

 private:
  enum class Dialect { unknown, c, cpp };
  struct Sources {
    std::size_t c = 0;
    std::size_t cpp = 0;
    std::size_t others = 0;
  };
  struct IncludeFolder {
    std::string path;  // relative to the root; empty: the root
    bool is_angled =
        false;  // a name in <> needs it: -I, else -iquote, which cannot hide the system's headers
  };

  bool walk();
  std::string guess_database();
  void count_source(const std::string& file);
  bool has(const std::string& file);
  const std::vector<std::string>* names_in(const std::string& file);
  // The project's file that `name` is when `includer` includes it, and the folder that this needs, or empty.
  std::string resolve(std::string_view name, const std::string& includer,
                      std::vector<IncludeFolder>& folders);
  // In the order in which they are to be searched. None beyond a limit.
  std::optional<std::vector<IncludeFolder>> folders_for(const std::string& file);
  Dialect dialect_of(const std::string& file) const;

  // Paths are relative to the root.
  fs::path root_;
  GuessLimits limits_;
  std::optional<bool> walked_;                                         // whether it was within the limits
  std::unordered_map<std::string, std::vector<std::string>> by_name_;  // paths, by their last component
  std::unordered_set<std::string> paths_;
  std::map<std::string, Sources> sources_;                           // below each folder
  std::unordered_map<std::string, std::vector<std::string>> names_;  // that each file includes
  std::map<fs::path, BuildSettings> settings_;                       // by folder
  std::size_t bytes_ = 0;
  std::size_t lookups_ = 0;
  std::optional<std::string> database_;
};

}  // namespace symbols::servers
