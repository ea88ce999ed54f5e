// How the files of a project are called to a person: relative to the working folder where it is in the
// project or above it, and by their absolute paths from elsewhere.
#pragma once

#include <filesystem>
#include <string>

namespace symbols::terminal {

class NearPaths {
 public:
  // Of the project at `root`, absolute.
  explicit NearPaths(const std::filesystem::path& root);

  // `path`: absolute.
  std::string of(const std::filesystem::path& path) const;

 private:
  std::filesystem::path here_;  // empty: elsewhere
};

}  // namespace symbols::terminal
