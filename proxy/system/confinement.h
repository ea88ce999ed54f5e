// The limits that the kernel sets to a server process (docs/servers.md, "Confined servers"). A server obeys
// the project's settings, of which some name files to write and others code to run. A list of such settings
// is never complete, so the kernel refuses what they do.
//
// What Landlock (Linux 5.13) refuses a confined server, and all that it starts, root included. Outside of the
// given folders: opening a file for writing; making, removing, renaming or linking anything; truncating a
// file by its path (from Linux 6.2); controlling a device (from 6.10). Everywhere: TCP (from 6.7); abstract
// Unix sockets and signals to processes outside (from 6.12); tracing such processes, and with that their
// memory and environment in /proc; mounting; reading devices, the user's terminals among them. Descriptors
// that are already open, such as the pipes to us, are not affected, nor are reading files and executing.
//
// A seccomp filter refuses what Landlock does not cover, with an errno, so that a server whose telemetry
// cannot connect goes on. linux/system_call_filter.cc lists what is refused, not what is allowed: a compiler,
// Node.js and Go together need nearly all the rest.
//
// https://docs.kernel.org/userspace-api/landlock.html, seccomp_filter.html
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::system {

// The version of the kernel's Landlock; 0 without Landlock, or with Landlock switched off, or in a container
// that forbids its system calls. Without it a server cannot be kept from writing, and a project that is not
// trusted is not confined; without the filter it is.
int landlock_version();

// The first versions that refuse truncating by path, and signals to processes outside.
constexpr int landlock_with_truncation = 3;
constexpr int landlock_with_signals = 6;

inline bool kernel_confines_writes() {
  return landlock_version() > 0;
}

// Whether this kernel filters calls, and this program has a list for its processor (x86-64, AArch64).
bool kernel_filters_system_calls();

// Prepared by the parent, applied by the child. The instructions are bytes, to keep the kernel's header out.
class SystemCallFilter {
 public:
  // `refuses_truncation`: also of a file by its path, for a Landlock that does not
  // (landlock_with_truncation).
  static SystemCallFilter prepare(bool refuses_truncation);

  // Filters the calls of the calling thread and of what it starts, for good, and needs PR_SET_NO_NEW_PRIVS.
  // Returns 0, or errno. May be called between fork and exec.
  int apply() const;

 private:
  std::string instructions_;
};

// The error for a complete confinement that was asked for by name, with what this kernel lacks for it; none
// if it lacks nothing.
std::optional<Error> confinement_error();

// Prepared by the parent, applied by the child.
class Confinement {
 public:
  // As much as this kernel can, and at least Landlock. Everything below `writable_folders` (absolute,
  // existing) may be written, but no devices made; /dev/null, /dev/zero and /dev/full, which keep nothing,
  // may be written to. Error: the kernel has no Landlock, or a folder cannot be opened.
  static Result<Confinement> prepare(const std::vector<std::string>& writable_folders);

  // Confines the calling thread and what it starts, for good. Returns 0, or errno. May be called after fork.
  int apply() const;

 private:
  Confinement(Descriptor ruleset, std::optional<SystemCallFilter> filter)
      : ruleset_(std::move(ruleset)), filter_(std::move(filter)) {}
  Descriptor ruleset_;
  std::optional<SystemCallFilter> filter_;
};

}  // namespace symbols::system
