// A folder for what a server process writes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace symbols::process {

// A folder made for one server process, for its temporary files and caches: the only place, nearly, to which
// a confined server may write. Removes it with its contents when it is destroyed, or says on standard error
// that it cannot.
class MadeFolder {
 public:
  // In $TMPDIR, else /tmp; accessible to this user only. Error: none can be made there.
  static Result<MadeFolder> make();
  ~MadeFolder();
  MadeFolder(MadeFolder&& other) noexcept;
  MadeFolder& operator=(MadeFolder&&) = delete;

  const std::string& path() const { return path_; }  // absolute

  // NAME=VALUE: variables that make servers, and the tools that they run, write here instead of to the home
  // folder. HOME itself stays, as settings, toolchains and packages are read from it.
  std::vector<std::string> environment() const;

 private:
  explicit MadeFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Removes the folder `path`, which a server could write to and so made as it liked, with all in it: read-only
// folders, and those nested deeper than descriptors or the length of a path allow. Follows no link. True also
// where there is none. False, with errno: something is left.
bool remove_folder(const std::string& path);

}  // namespace symbols::process
