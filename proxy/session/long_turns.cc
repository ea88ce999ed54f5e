#include "proxy/session/long_turns.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

namespace symbols::session {
namespace {

struct Attributes {  // sched_attr of sched_setattr(2), which the C library lacks; its first version
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime;  // nanoseconds
  std::uint64_t deadline;
  std::uint64_t period;
};

std::optional<Attributes> present_turns() {
  Attributes attributes{};
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return {};
  if (attributes.policy != SCHED_OTHER) return {};
  return attributes;
}

constexpr std::uint64_t long_turn = 6'000'000;  // the kernel's own is at most 3 ms

}  // namespace

void take_long_turns() {
  std::optional<Attributes> attributes = present_turns();
  if (!attributes || attributes->runtime > long_turn) return;
  attributes->runtime = long_turn;
  (void)::syscall(SYS_sched_setattr, 0, &*attributes, 0);
}

void take_usual_turns() {
  std::optional<Attributes> attributes = present_turns();
  if (!attributes || attributes->runtime != long_turn) return;
  attributes->runtime = 0;  // the kernel's own
  (void)::syscall(SYS_sched_setattr, 0, &*attributes, 0);
}

}  // namespace symbols::session
