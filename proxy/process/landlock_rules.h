// What Landlock (Linux 5.13) refuses a confined server, and all that it starts, root included.
//
// Outside of the given folders: opening a file for writing; making, removing, renaming or linking anything;
// truncating a file by its path (from Linux 6.2); controlling a device (from 6.10). Everywhere: TCP (from
// 6.7); abstract Unix sockets and signals to processes outside (from 6.12); tracing such processes, and
// with that their memory and environment in /proc; mounting; reading devices, the user's
// terminals among them. Descriptors that are already open, such as the pipes to us, are not affected, nor are
// reading files and executing.
//
// https://docs.kernel.org/userspace-api/landlock.html
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::process {

// The version of the kernel's Landlock; 0 without Landlock, or with Landlock switched off, or in a container
// that forbids its system calls.
int landlock_version();

// The first versions that refuse truncating by path, and signals to processes outside.
constexpr int landlock_with_truncation = 3;
constexpr int landlock_with_signals = 6;

// Prepared by the parent, applied by the child.
class LandlockRules {
 public:
  // Everything below `writable_folders` (absolute, existing) may be written, but no devices made; /dev/null,
  // /dev/zero and /dev/full, which keep nothing, may be written to. Error: the kernel cannot do it, or a
  // folder cannot be opened.
  static Result<LandlockRules> prepare(const std::vector<std::string>& writable_folders);

  // Confines the calling thread and what it starts, for good, and needs PR_SET_NO_NEW_PRIVS. Returns 0, or
  // errno. May be called between fork and exec.
  int apply() const;

 private:
  explicit LandlockRules(Descriptor ruleset) : ruleset_(std::move(ruleset)) {}
  Descriptor ruleset_;
};

}  // namespace symbols::process
