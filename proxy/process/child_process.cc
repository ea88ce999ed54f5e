#include "proxy/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/process/v2.hpp>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/system/confinement.h"
#include "proxy/system/introspection.h"
#include "proxy/system/processes.h"

namespace symbols::process {
namespace {

// The launcher is Boost.Process's. Its process handle is not used, as it waits on Asio's loop, which costs
// one system call more per message than ours (io/event_loop.h); two loops side by side would mean polling
// every 10 ms whether the child has ended. So this is the only file that includes Asio and Boost.Process.
namespace bp = boost::process::v2;
using boost::system::error_code;
using io::EventLoop;
// The descriptors that are not closed on exec, including the standard ones.
std::vector<int> inherited_descriptors() {
  std::vector<int> inherited = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(system::own_descriptors(), ignored)) {
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
  const char* working_directory;           // null: ours
  const system::Confinement* confinement;  // null: it may do what we may

  // On an error the program is not run; the launcher reports errno to the parent.
  error_code on_exec_setup(bp::posix::default_launcher&, const bp::filesystem::path&,
                           const char* const*) const {
    ::setpgid(0, 0);
    system::end_with_parent();
    if (::getppid() != parent) ::_exit(127);  // we were gone before the request took effect
    errno = 0;
    if (working_directory == nullptr || ::chdir(working_directory) == 0)
      errno = confinement != nullptr ? confinement->apply() : 0;
    return {errno, boost::system::system_category()};
  }
  // The launcher has reported the error, and would go on to exit(), which flushes our own buffers again.
  void on_exec_error(bp::posix::default_launcher&, const bp::filesystem::path&, const char* const*,
                     const error_code&) const {
    ::_exit(127);
  }
};

// What the child inherits, and what overrides that: of two variables with one name the later counts.
std::vector<std::string> environment_of(const ProcessOptions& options) {
  std::vector<std::string> variables;
  const auto set = [&variables](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(variables, [name](const std::string& earlier) { return earlier.starts_with(name); });
    variables.emplace_back(variable);
  };
  if (options.inherited_environment) {
    variables = *options.inherited_environment;
  } else {
    variables = system::own_environment();
  }
  for (const std::string& variable : options.environment) set(variable);
  return variables;
}

// Kills a launched child, which may not have its own group yet, and its group, and waits for it for up to a
// second. One that hangs in the kernel (a dead network file system) is left to init.
void kill_group(pid_t child) {
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  for (int i = 0; i < 1000 && ::waitpid(child, nullptr, WNOHANG) == 0; ++i) ::usleep(1000);
}

// Fork and exec, and all that has to happen in between. Returns its process id, which the caller has to wait
// for. After an error no child is left.
Result<pid_t> launch(const ProcessOptions& options, const StandardStreams& streams) {
  std::optional<system::Confinement> confinement;
  if (options.only_writable_folders) {
    Result<system::Confinement> prepared = system::Confinement::prepare(*options.only_writable_folders);
    if (!prepared) return prepared.error();
    confinement.emplace(std::move(*prepared));
  }
  const std::vector<std::string> variables = environment_of(options);
  std::vector<const char*> environment;
  for (const std::string& variable : variables) environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  bp::default_process_launcher launcher;
  launcher.env = environment.data();
  if (options.inherits_descriptors) launcher.fd_whitelist = inherited_descriptors();
  const std::string& folder = options.working_directory;
  const ChildSetup setup{::getpid(), folder.empty() ? nullptr : folder.c_str(),
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

class WatchedChild final : public ChildProcess {
 public:
  WatchedChild(EventLoop& loop, pid_t pid, Descriptor end, OnExit on_exit)
      : loop_(loop), pid_(pid), end_(std::move(end)), on_exit_(std::move(on_exit)), timer_(loop) {
    loop_.watch(end_.get(), EventLoop::Wanted::input, [this] { ended(); });
  }
  ~WatchedChild() override {
    if (pid_ == 0) return;
    kill_group(pid_);  // here, since the loop may never run again
    forget();
  }

  void stop(milliseconds grace) override {
    const EventLoop::Clock::time_point deadline = loop_.now() + grace;
    if (pid_ == 0 || (stop_deadline_ && deadline >= *stop_deadline_)) return;
    stop_deadline_ = deadline;
    timer_.start(grace, [this, grace] {
      ::kill(-pid_, SIGTERM);
      // At least a moment, even without any grace, for a handler that cleans up.
      const milliseconds more = std::clamp(grace, milliseconds(200), milliseconds(2000));
      timer_.start(more, [this] { ::kill(-pid_, SIGKILL); });
    });
  }

  void kill() override {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    for (int i = 0; i < 1000 && !has_ended(); ++i) ::usleep(1000);
  }

  std::size_t memory() const override { return pid_ == 0 ? 0 : system::resident_memory(pid_); }

 private:
  // It is not reaped by that.
  bool has_ended() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           ended.si_pid != 0;
  }

  void ended() {
    if (!has_ended()) return;
    // Kills the rest of its group. Before the leader is reaped: afterwards its id may be another's.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    const bool known = ::waitpid(pid_, &status, 0) == pid_;
    forget();
    const OnExit on_exit = std::move(on_exit_);
    const bool is_killed = known && WIFSIGNALED(status);
    on_exit(
        {.code = known && !is_killed ? WEXITSTATUS(status) : 0, .signal = is_killed ? WTERMSIG(status) : 0});
  }

  // From now on no signal may be sent to that id.
  void forget() {
    pid_ = 0;
    timer_.stop();
    loop_.unwatch(end_.get());
    end_ = Descriptor();
  }

  EventLoop& loop_;
  pid_t pid_;       // 0: it has ended
  Descriptor end_;  // readable once it has ended
  OnExit on_exit_;
  io::Timer timer_;
  std::optional<EventLoop::Clock::time_point> stop_deadline_;
};

}  // namespace

std::string ExitStatus::text() const {
  if (signal != 0) return fmt::format("was ended by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", code);
}

Result<std::unique_ptr<ChildProcess>> start_child(EventLoop& loop, const ProcessOptions& options,
                                                  const StandardStreams& streams, OnExit on_exit) {
  const Result<pid_t> pid = launch(options, streams);
  if (!pid) return pid.error();
  Descriptor end = system::end_of(*pid);
  if (!end) {
    const int error = errno;
    kill_group(*pid);
    return Error{fmt::format("cannot watch it: {}", std::strerror(error)), {}};
  }
  return std::unique_ptr<ChildProcess>(new WatchedChild(loop, *pid, std::move(end), std::move(on_exit)));
}

}  // namespace symbols::process
