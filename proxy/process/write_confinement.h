// What a server process may write. A server follows what the project says, and some of that names files to be
// written: clangd obeys any compile flag, `-serialize-diagnostics ~/.ssh/authorized_keys` among them. A list
// of such ways is never complete, so the kernel refuses instead (Landlock, Linux 5.13; it holds for root as
// well, and for whatever the process starts).
//
// Refused outside of the folders given: to open a file for writing, to make, remove, rename or link anything,
// to cut a file short by its path (from Linux 6.2), to control a device (from 6.10: a key typed into the
// user's terminal by ioctl). Not refused, as Landlock does not know it: to change mode, owner, times and
// extended attributes of what the user owns, sockets, signals. Descriptors that are open already, such as the
// pipes to us, stay as they are. Reading and running are not looked at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::process {

// Whether this kernel can do it. One without Landlock, or with it switched off, cannot; nor does a container
// let us ask that forbids system calls which it does not know.
bool kernel_confines_writes();

// Made by the parent, applied by the child.
class WriteConfinement {
 public:
  // Everything below `writable_folders` (absolute, existing) may be written, but no device made; and
  // /dev/null, /dev/zero and /dev/full, which keep nothing, may be written to. Error: the kernel cannot, or a
  // folder cannot be opened.
  static Result<WriteConfinement> prepare(const std::vector<std::string>& writable_folders);

  // Confines the calling thread and what it starts, for good. Gives 0, or errno. Of the functions that a
  // child may call between fork and exec.
  int apply() const;

 private:
  explicit WriteConfinement(Descriptor ruleset) : ruleset_(std::move(ruleset)) {}
  Descriptor ruleset_;
};

}  // namespace symbols::process
