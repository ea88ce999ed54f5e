// How much memory processes take.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace symbols::process {

// The resident bytes of the process and of all below it, from /proc; what several share counts in each. 0
// where it has ended.
std::size_t resident_memory(pid_t process);

}  // namespace symbols::process
