#include "proxy/process/child_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace symbols::process {
namespace {

using relay::EventLoop;
using std::chrono::milliseconds;

// The resident bytes of the process and of all below it, from /proc; what several share counts in each. 0
// where it has ended.
std::size_t resident_memory(pid_t process) {
  constexpr std::size_t most_processes = 1000;  // a server that starts ever more is not followed for ever
  std::size_t pages = 0;
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size() && all.size() < most_processes; ++i) {
    const std::string folder = fmt::format("/proc/{}", all[i]);
    std::size_t size = 0;
    std::size_t resident = 0;
    if (std::ifstream statm(folder + "/statm"); statm >> size >> resident) pages += resident;
    // Each thread has the children that it started.
    std::error_code failure;
    for (std::filesystem::directory_iterator task(folder + "/task", failure), end; !failure && task != end;
         task.increment(failure)) {
      std::ifstream children(task->path() / "children");
      for (pid_t child = 0; children >> child;) all.push_back(child);
    }
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Watched by a pidfd (Linux 5.3), which becomes readable once the process has ended.
class WatchedChild final : public ChildProcess {
 public:
  WatchedChild(EventLoop& loop, pid_t pid, int pidfd, OnExit on_exit)
      : loop_(loop), pid_(pid), pidfd_(pidfd), on_exit_(std::move(on_exit)), timer_(loop) {
    loop_.watch(pidfd, EventLoop::Wanted::input, [this] { ended(); });
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

  std::size_t memory() const override { return pid_ == 0 ? 0 : resident_memory(pid_); }

 private:
  void ended() {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == 0)
      return;
    // Kills the rest of its group. Before the leader is reaped: afterwards its id may be another's.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    const bool known = ::waitpid(pid_, &status, 0) == pid_;
    forget();
    const OnExit on_exit = std::move(on_exit_);
    if (known && WIFSIGNALED(status)) {
      on_exit({.code = 0, .signal = WTERMSIG(status)});
    } else {
      on_exit({.code = known ? WEXITSTATUS(status) : 0, .signal = 0});
    }
  }

  // From now on no signal may be sent to that id.
  void forget() {
    pid_ = 0;
    timer_.stop();
    loop_.unwatch(pidfd_.get());
    pidfd_ = Descriptor();
  }

  EventLoop& loop_;
  pid_t pid_;  // 0: it has ended
  Descriptor pidfd_;
  OnExit on_exit_;
  relay::Timer timer_;
  std::optional<EventLoop::Clock::time_point> stop_deadline_;
};

}  // namespace

std::string ExitStatus::text() const {
  if (signal != 0) return fmt::format("was ended by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", code);
}

Result<std::unique_ptr<ChildProcess>> start_child(EventLoop& loop, const ProcessOptions& options,
                                                  const StandardStreams& streams, OnExit on_exit) {
  const Result<pid_t> pid = launch(options, streams, loop.signals_before());
  if (!pid) return pid.error();
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0));
  if (pidfd < 0) {
    const int error = errno;
    kill_group(*pid);
    return Error{fmt::format("cannot watch it: {}", std::strerror(error)), {}};
  }
  return std::unique_ptr<ChildProcess>(new WatchedChild(loop, *pid, pidfd, std::move(on_exit)));
}

}  // namespace symbols::process
