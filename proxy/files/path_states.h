// The stat(2) state of files and folders, to find changes that inotify does not report.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "proxy/files/file_stamp.h"

namespace symbols::files {

class PathStates {
 public:
  // Takes up what `path` is now, symbolic links followed: a file with its size and times, a folder as such,
  // or nothing.
  void note(const std::string& path);
  void forget(const std::string& path) { states_.erase(path); }
  void clear() { states_.clear(); }
  bool contains(const std::string& path) const { return states_.contains(path); }
  std::size_t size() const { return states_.size(); }

  // Those that are not what they were when they were noted.
  std::vector<std::string> changed() const;

 private:
  std::unordered_map<std::string, std::optional<FileStamp>> states_;
};

}  // namespace symbols::files
