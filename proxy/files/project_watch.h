// Finds the changes of a project since the last look. On Linux by inotify, so that a look without changes is
// free; elsewhere each look checks all files.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace symbols::files {

struct ProjectChanges {
  // More changed than is known by name: events were lost, or a folder went or came.
  bool unknown = false;
  std::set<std::string> paths{};  // absolute
  // Of these, the files that are gone and those that may not have been there before.
  std::set<std::string> new_or_gone{};

  bool any() const { return unknown || !paths.empty(); }
};

// Watches every folder of a project, those in hidden folders and node_modules too; the repository that it
// lies in, without node_modules there, as the packages of a workspace use each other; what symbolic links
// lead to; and in the folders above the project the files that configure language servers (tsconfig.json, …).
// The folders of version control (.git) are left out: what they hold changes no answer. A file that has
// several names by links is told under each of them.
//
// Whatever was done before take() is called is in what it returns, whoever did it: the kernel queues the
// event before the system call that causes it returns. It queues none for a file that is written through a
// hard link in a folder that is not watched, or through memory (mmap), for a mount, nor for a folder that is
// removed while a process is in it: these are found by stat(2) where take() is told to look at everything.
// Other machines' changes are not seen, so network file systems are refused. Single-threaded, without a loop.
class ProjectWatch {
 public:
  // The maximum number of watched folders. The kernel allows each user at least 8,192.
  static constexpr std::size_t max_folders = 8192;
  // The most files that are looked at by stat(2), installed packages (node_modules) not counted: two or
  // three milliseconds. At most as many again are those of look_at().
  static constexpr std::size_t max_files = 2048;

  // `root` is absolute; so is `repository`, a folder with the root in it, the root, or empty. Errors: more
  // folders than that, the kernel's limit, one cannot be read, or is on a network file system.
  static Result<std::unique_ptr<ProjectWatch>> start(const std::string& root,
                                                     const std::string& repository = {});

  virtual ~ProjectWatch() = default;

  static constexpr milliseconds look_interval{1000};

  enum class Look { at_events, at_everything };
  // The changes since the last call; `unknown` from a failure() on. Also of folders that were made since,
  // which are watched from then on.
  virtual ProjectChanges take(Look look = Look::at_events) = 0;

  // Has take() look at the file `path` as well, which is absolute, until it tells `unknown`.
  virtual void look_at(const std::string& path) = 0;

  // Why changes are not known any more, such as new folders over a limit; none as long as they are.
  virtual const std::optional<Error>& failure() const = 0;

  // Becomes readable when there is something to take; -1: it has to be looked for, every look_interval.
  virtual int descriptor() const = 0;
};

}  // namespace symbols::files
