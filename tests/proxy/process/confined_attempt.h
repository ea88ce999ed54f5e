// Tries something in a child process that has confined itself.
#pragma once

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

namespace symbols::process {

// What `attempt` comes to in a child that `confinement` was applied to: 0, or errno. 255: it was not applied.
template <typename Confinement>
int confined_attempt(const Confinement& confinement, const std::function<bool()>& attempt) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || confinement.apply() != 0) ::_exit(255);
    ::_exit(attempt() ? 0 : errno);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace symbols::process
