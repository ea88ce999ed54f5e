// Tries something in a child process that has confined itself.
#pragma once

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

namespace symbols::process {

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

}  // namespace symbols::process
