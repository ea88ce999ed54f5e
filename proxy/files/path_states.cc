#include "proxy/files/path_states.h"

#include <sys/stat.h>

namespace symbols::files {
namespace {

std::optional<FileStamp> state_of(const std::string& path) {
  if (const std::optional<FileStamp> file = FileStamp::of(path)) return file;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return FileStamp{.device = status.st_dev, .inode = status.st_ino};
}

}  // namespace

void PathStates::note(const std::string& path) {
  states_.insert_or_assign(path, state_of(path));
}

std::vector<std::string> PathStates::changed() const {
  std::vector<std::string> changed;
  for (const auto& [path, state] : states_) {
    if (state_of(path) != state) changed.push_back(path);
  }
  return changed;
}

}  // namespace symbols::files
