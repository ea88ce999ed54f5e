#include "proxy/system/processes.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace symbols::system {

Descriptor end_of(pid_t child) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));  // Linux 5.3
}

void end_with_parent() {
  // SIGKILL, not SIGTERM: with us gone, nothing is left to follow up on it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// SCHED_OTHER's slice, which Linux 6.12 and later take from here.
void take_long_turns(bool are_long) {
  constexpr std::uint64_t long_turn = 6'000'000;  // nanoseconds; the kernel's own is at most 3 ms
  struct {                                        // sched_attr of sched_setattr(2), which the C library lacks
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  } turns{};
  if (::syscall(SYS_sched_getattr, 0, &turns, sizeof turns, 0) != 0 || turns.policy != SCHED_OTHER ||
      turns.runtime > long_turn) {
    return;
  }
  turns.runtime = are_long ? long_turn : 0;  // 0: the kernel's own
  (void)::syscall(SYS_sched_setattr, 0, &turns, 0);
}

}  // namespace symbols::system
