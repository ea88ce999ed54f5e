#include "proxy/process/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/asio/write.hpp>
#include <boost/process/v2.hpp>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>

#include "proxy/process/child_environment.h"
#include "proxy/process/write_confinement.h"

namespace symbols::process {
namespace {

namespace asio = boost::asio;
namespace bp = boost::process::v2;
using boost::system::error_code;
using std::chrono::milliseconds;

// After the server has ended, how long its pipes are read for what it still wrote; a grandchild may hold them
// open.
constexpr milliseconds drain_limit{500};

// The descriptors that are not closed by an exec, the standard ones among them.
std::vector<int> inherited_descriptors() {
  std::vector<int> inherited = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (descriptor > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0)
      inherited.push_back(descriptor);
  }
  return inherited;
}

// Runs in the child between fork and exec.
struct OwnGroup {
  pid_t parent;
  const WriteConfinement* confinement;  // null: it may write what we may

  error_code on_exec_setup(bp::posix::default_launcher&, const bp::filesystem::path&,
                           const char* const*) const {
    ::setpgid(0, 0);
#ifdef __linux__
    // SIGKILL, not SIGTERM: when we are gone nobody is left to insist.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // we were gone before the request took effect
#endif
    // An error, and it is not run; the launcher tells the parent errno.
    errno = confinement != nullptr ? confinement->apply() : 0;
    return {errno, boost::system::system_category()};
  }
  // The launcher would go on to exit(), which flushes our own buffers a second time. It has reported by then.
  void on_exec_error(bp::posix::default_launcher&, const bp::filesystem::path&, const char* const*,
                     const error_code&) const {
    ::_exit(127);
  }
};

}  // namespace

std::string ExitStatus::text() const {
  if (signal != 0) return fmt::format("was ended by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", code);
}

class ServerProcess::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, Callbacks callbacks)
      : callbacks_(std::move(callbacks)),
        input_(io),
        output_(io),
        error_output_(io),
        process_(io),
        timer_(io),
        drain_timer_(io) {}

  Result<void> start(const ProcessOptions& options) {
    std::optional<WriteConfinement> confinement;
    if (options.only_writable_folders) {
      Result<WriteConfinement> prepared = WriteConfinement::prepare(*options.only_writable_folders);
      if (!prepared) return prepared.error();
      confinement.emplace(std::move(*prepared));
    }
    const std::vector<std::string> variables = changed_environment(options.environment);
    std::vector<const char*> environment;
    for (const std::string& variable : variables) environment.push_back(variable.c_str());
    environment.push_back(nullptr);
    bp::default_process_launcher launcher;
    launcher.env = environment.data();
    // Who stands in for its starter hands on what that handed on.
    if (options.streams) launcher.fd_whitelist = inherited_descriptors();
    if (const error_code error = launch(launcher, options, confinement ? &*confinement : nullptr)) {
      // Boost may fail when there is a child already: one that could not exec, or that no pidfd is to be had
      // for.
      if (launcher.pid > 0) {
        ::kill(-launcher.pid, SIGKILL);
        ::kill(launcher.pid, SIGKILL);
        reap(launcher.pid);
      }
      return Error{error.message(), {}};
    }
    group_ = process_.id();
    if (!options.streams) {
      read(output_, output_buffer_, callbacks_.on_output);
      read(error_output_, error_buffer_, callbacks_.on_error_output);
    }
    process_.async_wait([self = shared_from_this()](const error_code& error, int) {
      // What is handed over does not tell exit status 3 from signal 3.
      self->process_ended(error, self->process_.native_exit_code());
    });
    return {};
  }

  // No callback from here on.
  void abandon() {
    abandoned_ = true;
    kill_group(SIGKILL);
    close_pipes();
    timer_.cancel();
    drain_timer_.cancel();
    if (!exited_) {
      reap(group_);  // here, since the loop may never run again
      exited_ = true;
      process_.detach();
    }
  }

  void write(std::string bytes) {
    if (!input_.is_open() || closing_input_) return;
    unwritten_ += bytes.size();
    queue_.push_back(std::move(bytes));
    if (queue_.size() == 1) write_first();
  }

  std::size_t unwritten() const { return unwritten_; }
  int pid() const { return group_; }

  void stop(milliseconds grace) {
    if (exited_) return;
    closing_input_ = true;
    if (queue_.empty()) close_input();
    const auto deadline = std::chrono::steady_clock::now() + grace;
    if (stopping_ && deadline >= stop_deadline_) return;
    stopping_ = true;
    stop_deadline_ = deadline;
    escalate(deadline, grace, SIGTERM);
  }

 private:
  using Buffer = std::array<char, 65536>;

  error_code launch(bp::default_process_launcher& launcher, const ProcessOptions& options,
                    const WriteConfinement* confinement) {
    try {
      bp::process_stdio stdio =
          options.streams
              ? bp::process_stdio{(*options.streams)[0], (*options.streams)[1], (*options.streams)[2]}
              : bp::process_stdio{input_, output_, error_output_};
      const OwnGroup own_group{::getpid(), confinement};
      error_code error;
      if (options.working_directory.empty()) {
        process_ =
            launcher(process_.get_executor(), error, options.program, options.arguments, stdio, own_group);
      } else {
        process_ = launcher(process_.get_executor(), error, options.program, options.arguments, stdio,
                            bp::process_start_dir(options.working_directory), own_group);
      }
      return error;
    } catch (const boost::system::system_error& failure) {  // of a pipe, or of the pidfd
      return failure.code();
    }
  }

  // Waits for a child that was sent SIGKILL. One that hangs in the kernel (a dead network file system) is
  // left to init.
  static void reap(pid_t child) {
    for (int i = 0; i < 1000 && ::waitpid(child, nullptr, WNOHANG) == 0; ++i) ::usleep(1000);
  }

  void read(asio::readable_pipe& pipe, Buffer& buffer,
            const std::function<void(std::string_view)>& callback) {
    pipe.async_read_some(asio::buffer(buffer), [self = shared_from_this(), &pipe, &buffer, &callback](
                                                   const error_code& error, std::size_t size) {
      if (size > 0 && !self->abandoned_) callback({buffer.data(), size});
      if (!error) {
        if (pipe.is_open()) self->read(pipe, buffer, callback);
        return;
      }
      error_code ignored;
      pipe.close(ignored);
      self->finish_if_drained();
    });
  }

  void write_first() {
    asio::async_write(input_, asio::buffer(queue_.front()),
                      [self = shared_from_this()](const error_code& error, std::size_t) {
                        if (error) {
                          // The reader is gone; its exit, seen elsewhere, says more than this.
                          self->queue_.clear();
                          self->unwritten_ = 0;
                          self->close_input();
                          return;
                        }
                        self->unwritten_ -= self->queue_.front().size();
                        self->queue_.pop_front();
                        if (!self->queue_.empty()) {
                          self->write_first();
                        } else if (self->closing_input_) {
                          self->close_input();
                        }
                      });
  }

  void close_input() {
    error_code ignored;
    if (input_.is_open()) input_.close(ignored);
  }

  void close_pipes() {
    close_input();
    error_code ignored;
    output_.close(ignored);
    error_output_.close(ignored);
  }

  void kill_group(int signal) const {
    // Not after it was reaped: the number may be somebody else's by then. A group whose leader has ended may
    // have members left, but only while its number is not free again, so this is sent from process_ended() at
    // the latest.
    if (group_ > 0 && !exited_) ::kill(-group_, signal);
  }

  void escalate(std::chrono::steady_clock::time_point deadline, milliseconds grace, int signal) {
    timer_.expires_at(deadline);
    timer_.async_wait([self = shared_from_this(), grace, signal](const error_code& error) {
      if (error || self->exited_) return;
      self->kill_group(signal);
      if (signal != SIGKILL) {
        // At least a moment, also where no grace was given, for a handler that cleans up.
        const milliseconds next = std::clamp(grace, milliseconds(200), milliseconds(2000));
        self->escalate(std::chrono::steady_clock::now() + next, next, SIGKILL);
      }
    });
  }

  void process_ended(const error_code& error, int native) {
    if (exited_) return;
    // The rest of its group has no server any more. The group's number stays taken as long as it has members.
    ::kill(-group_, SIGKILL);
    exited_ = true;
    timer_.cancel();
    if (!error) {
      status_ = WIFSIGNALED(native) ? ExitStatus{0, WTERMSIG(native)} : ExitStatus{WEXITSTATUS(native), 0};
    }
    close_input();
    drain_timer_.expires_after(drain_limit);
    drain_timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
      if (cancelled) return;
      self->close_pipes();
      self->finish_if_drained();
    });
    finish_if_drained();
  }

  void finish_if_drained() {
    if (!exited_ || output_.is_open() || error_output_.is_open()) return;
    drain_timer_.cancel();
    if (std::exchange(finished_, true) || abandoned_) return;
    callbacks_.on_exit(status_);
  }

  Callbacks callbacks_;
  asio::writable_pipe input_;
  asio::readable_pipe output_;
  asio::readable_pipe error_output_;
  Buffer output_buffer_;
  Buffer error_buffer_;
  bp::process process_;
  asio::steady_timer timer_;
  asio::steady_timer drain_timer_;
  std::deque<std::string> queue_;
  std::size_t unwritten_ = 0;
  pid_t group_ = 0;
  bool closing_input_ = false;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_deadline_;
  bool exited_ = false;
  bool finished_ = false;   // on_exit was called
  bool abandoned_ = false;  // the owner is gone: nothing is called any more
  ExitStatus status_;
};

Result<std::unique_ptr<ServerProcess>> ServerProcess::start(asio::io_context& io,
                                                            const ProcessOptions& options,
                                                            Callbacks callbacks) {
  auto impl = std::make_shared<Impl>(io, std::move(callbacks));
  if (const Result<void> started = impl->start(options); !started) return started.error();
  return std::unique_ptr<ServerProcess>(new ServerProcess(std::move(impl)));
}

ServerProcess::~ServerProcess() {
  impl_->abandon();
}
void ServerProcess::write(std::string bytes) {
  impl_->write(std::move(bytes));
}
std::size_t ServerProcess::unwritten() const {
  return impl_->unwritten();
}
void ServerProcess::stop(milliseconds grace) {
  impl_->stop(grace);
}
int ServerProcess::pid() const {
  return impl_->pid();
}

}  // namespace symbols::process
