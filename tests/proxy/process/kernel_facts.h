// What the kernel under the tests can do, asked without the code that is tested.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

namespace symbols::process {

// The mode in this process's status (0: not filtered); none: a kernel without seccomp.
inline std::optional<int> seccomp_mode() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Seccomp:")) return std::stoi(line.substr(8));
  }
  return std::nullopt;
}

// Whether there is a list of system calls for this processor, and a kernel that uses it.
inline bool kernel_has_filters() {
#if defined(__x86_64__) || defined(__aarch64__)
  return seccomp_mode().has_value();
#else
  return false;
#endif
}

// What landlock_create_ruleset, which has the same number everywhere, says of its version; 0: it is not
// there.
inline int kernel_landlock() {
  const long version = ::syscall(444, nullptr, std::size_t{0}, 1U);
  return version > 0 ? static_cast<int>(version) : 0;
}

}  // namespace symbols::process
