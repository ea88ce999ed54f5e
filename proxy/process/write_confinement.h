// Restricts what a server process may write. A server obeys the project's settings, and some of these name
// files to write: clangd accepts any compile flag, even `-serialize-diagnostics ~/.ssh/authorized_keys`. A
// list of such flags is never complete, so the kernel refuses instead (Landlock, Linux 5.13; it applies to
// root as well, and to all that the process starts).
//
// Refused outside of the given folders: opening a file for writing; making, removing, renaming or linking
// anything; truncating a file by its path (from Linux 6.2); controlling a device (from 6.10; an ioctl could
// type a key into the user's terminal). Not refused, as Landlock does not cover it: changing mode, owner,
// times and extended attributes of what the user owns, sockets, signals. Descriptors that are already open,
// such as the pipes to us, are not affected, nor are reading and executing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::process {

// Whether this kernel can do it: not without Landlock, or with Landlock switched off, nor in a container that
// forbids its system calls.
bool kernel_confines_writes();

// Prepared by the parent, applied by the child.
class WriteConfinement {
 public:
  // Everything below `writable_folders` (absolute, existing) may be written, but no devices made; /dev/null,
  // /dev/zero and /dev/full, which keep nothing, may be written to. Error: the kernel cannot do it, or a
  // folder cannot be opened.
  static Result<WriteConfinement> prepare(const std::vector<std::string>& writable_folders);

  // Confines the calling thread and what it starts, for good. Returns 0, or errno. May be called between fork
  // and exec.
  int apply() const;

 private:
  explicit WriteConfinement(Descriptor ruleset) : ruleset_(std::move(ruleset)) {}
  Descriptor ruleset_;
};

}  // namespace symbols::process
