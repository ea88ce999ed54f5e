// Events of folders: reported by the kernel on Linux (inotify), found by comparing with the last look
// elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace symbols::system {

// Something happened to an entry of a watched folder, or to the folder itself.
struct FolderEvent {
  int folder = 0;           // by its number
  std::string_view name{};  // of the entry; empty: the folder itself is gone, or elsewhere. Valid in the call
  bool is_folder = false;
  bool comes_or_goes = false;     // it was made, removed or renamed
  bool is_of_attributes = false;  // its owner, mode or times, not its content
};

// Single-threaded. Whatever was done before read() is called is told by it, whoever did it; docs of
// ProjectWatch (files/project_watch.h) say what is not seen.
class FolderEvents {
 public:
  FolderEvents();
  ~FolderEvents();
  FolderEvents(FolderEvents&&) = delete;

  // 0, or errno: the system allows no more watches.
  int error() const;

  // The number of the folder `path`: of one that is watched already, the one it has. -1, with errno: it
  // cannot be watched.
  int add(const std::string& path);
  void remove(int folder);

  // Calls `take` for what happened since the last call. False: some of it is lost.
  bool read(const std::function<void(const FolderEvent&)>& take);

  // Whether a file system may have been mounted or unmounted since the last call.
  bool mounts_changed();

  // Becomes readable when there is something to read. -1: it has to be looked for from time to time.
  int descriptor() const;

  // Whether `folder` lies on a file system whose changes by other machines are not told.
  static bool is_shared(const std::string& folder);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace symbols::system
