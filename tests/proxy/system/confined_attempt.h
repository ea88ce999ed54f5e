// Tries something in a child process that has confined itself, and asks the kernel what it can do without the
// code that is tested.
#pragma once

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

namespace symbols::system {

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

// In place of a confinement: none.
struct Unconfined {
  int apply() const { return 0; }
};

// What is done in the child before it is confined.
template <typename Confinement>
struct Prepared {
  std::function<bool()> prepare;
  const Confinement& confinement;
  int apply() const { return prepare() ? confinement.apply() : 254; }
};

// What `attempt` comes to in a child that `confinement` was applied to: 0, or errno; below 0: the signal that
// ended it. 255: it was not applied.
template <typename Confinement>
int confined_attempt(const Confinement& confinement, const std::function<bool()>& attempt) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || confinement.apply() != 0) ::_exit(255);
    ::_exit(attempt() ? 0 : errno);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace symbols::system
