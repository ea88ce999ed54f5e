// What a confined server may not ask the kernel for: a seccomp filter, for what Landlock does not cover. It
// refuses
//   - the network and all sockets but pairs, with what would go round that (io_uring, another process's
//     descriptors);
//   - changing mode, owner, times and attributes of a file, which needs no more than reading it;
//   - reaching into other processes, limiting them or giving them another priority (but for
//     sched_setscheduler); shared memory and queues, keys, namespaces, the kernel itself;
//   - typing into the user's terminal, or taking it over;
//   - leases and notifications of the user's files, by which others wait or which signal others;
//   - calls by another calling convention (32-bit, x32) or newer than this list.
//
// A refused call fails with an errno, so that a server whose telemetry cannot connect goes on. Leaving the
// process group (setsid, setpgid) seems to succeed and does nothing. A list of what
// is refused, not of what is allowed: a compiler, Node.js and Go together need nearly all the rest.
//
// https://docs.kernel.org/userspace-api/seccomp_filter.html
#pragma once

#include <string>

namespace symbols::process {

// Whether this kernel filters calls, and this program has a list for its processor (x86-64, AArch64).
bool kernel_filters_system_calls();

// Prepared by the parent, applied by the child. The instructions are a string of bytes, to keep the kernel's
// header out of this one.
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

}  // namespace symbols::process
