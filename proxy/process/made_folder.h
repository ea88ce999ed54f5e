// The folder that is made for one server process, and the only one that it may write to where the project is
// not trusted (write_confinement.h): for its temporary files and its caches.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace symbols::process {

// Gone, with all in it, when this is destroyed.
class MadeFolder {
 public:
  // In $TMPDIR, else /tmp; nobody else may enter. Error: none can be made there.
  static Result<MadeFolder> make();
  ~MadeFolder();
  MadeFolder(MadeFolder&& other) noexcept;
  MadeFolder& operator=(MadeFolder&&) = delete;

  const std::string& path() const { return path_; }  // absolute

  // NAME=VALUE: what has servers, and the tools that they run, write here instead of to the home folder. HOME
  // itself stays, as settings, toolchains and packages are read from it.
  std::vector<std::string> environment() const;

 private:
  explicit MadeFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace symbols::process
