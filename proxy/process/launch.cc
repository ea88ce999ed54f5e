#include "proxy/process/launch.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2.hpp>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "base/number.h"
#include "proxy/process/confinement.h"

namespace symbols::process {
namespace {

namespace bp = boost::process::v2;
using boost::system::error_code;

// The descriptors that are not closed on exec, including the standard ones.
std::vector<int> inherited_descriptors() {
  std::vector<int> inherited = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = leading_number(entry.path().filename().native()).value_or(-1);
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (descriptor > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0)
      inherited.push_back(descriptor);
  }
  return inherited;
}

// Runs in the child between fork and exec.
struct ChildSetup {
  pid_t parent;
  const sigset_t* blocked;         // null: ours
  const char* working_directory;   // null: ours
  const Confinement* confinement;  // null: it may do what we may

  // On an error the program is not run; the launcher reports errno to the parent.
  error_code on_exec_setup(bp::posix::default_launcher&, const bp::filesystem::path&,
                           const char* const*) const {
    ::setpgid(0, 0);
    // SIGKILL, not SIGTERM: with us gone, nothing is left to follow up on it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // we were gone before the request took effect
    if (blocked != nullptr) ::sigprocmask(SIG_SETMASK, blocked, nullptr);
    errno = 0;
    if (working_directory == nullptr || ::chdir(working_directory) == 0)
      errno = confinement != nullptr ? confinement->apply() : 0;
    return {errno, boost::system::system_category()};
  }
  // The launcher has reported the error, and would go on to exit(), which flushes our own buffers a second
  // time.
  void on_exec_error(bp::posix::default_launcher&, const bp::filesystem::path&, const char* const*,
                     const error_code&) const {
    ::_exit(127);
  }
};

// Our own environment, overridden by `changes` (NAME=VALUE).
std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  const auto changed = [&](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    return std::ranges::any_of(changes, [&](const std::string& change) { return change.starts_with(name); });
  };
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!changed(*variable)) variables.emplace_back(*variable);
  }
  variables.insert(variables.end(), changes.begin(), changes.end());
  return variables;
}

}  // namespace

Result<pid_t> launch(const ProcessOptions& options, const StandardStreams& streams, const sigset_t* blocked) {
  std::optional<Confinement> confinement;
  if (options.only_writable_folders) {
    Result<Confinement> prepared = Confinement::prepare(*options.only_writable_folders);
    if (!prepared) return prepared.error();
    confinement.emplace(std::move(*prepared));
  }
  const std::vector<std::string> variables = changed_environment(options.environment);
  std::vector<const char*> environment;
  for (const std::string& variable : variables) environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  bp::default_process_launcher launcher;
  launcher.env = environment.data();
  if (options.inherits_descriptors) launcher.fd_whitelist = inherited_descriptors();
  const std::string& folder = options.working_directory;
  const ChildSetup setup{::getpid(), blocked, folder.empty() ? nullptr : folder.c_str(),
                         confinement ? &*confinement : nullptr};
  error_code error;
  try {
    boost::asio::io_context never_run;
    launcher(never_run.get_executor(), error, options.program, options.arguments,
             bp::process_stdio{streams[0], streams[1], streams[2]}, setup)
        .detach();
  } catch (const boost::system::system_error& failure) {
    error = failure.code();
  }
  if (!error) return launcher.pid;
  // There may be a child nevertheless: one that could not exec, or for which Boost could not make a handle.
  if (launcher.pid > 0) kill_group(launcher.pid);
  return Error{error.message(), {}};
}

void kill_group(pid_t child) {
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  for (int i = 0; i < 1000 && ::waitpid(child, nullptr, WNOHANG) == 0; ++i) ::usleep(1000);
}

}  // namespace symbols::process
