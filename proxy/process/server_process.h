// One language server as a child process: its pipes, its exit, and the certainty that it ends.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace boost::asio {
class io_context;
}

namespace symbols::process {

struct ProcessOptions {
  std::string program;  // a path with a slash in it; nothing is looked up, no shell is involved
  std::vector<std::string> arguments;    // without the program's name
  std::string working_directory;         // empty: ours
  std::vector<std::string> environment;  // NAME=VALUE, put over our own
  // Its standard input, output and error where they are not to be pipes to us: descriptors that the caller
  // owns. Then write() does nothing, no output is handed over, and on_exit comes with the exit.
  std::optional<std::array<int, 3>> streams{};
  // Where set, it may write below these folders and nowhere else (write_confinement.h), or it is not started.
  std::optional<std::vector<std::string>> only_writable_folders{};
};

// How a process ended.
struct ExitStatus {
  int code = 0;    // of exit(), where no signal ended it
  int signal = 0;  // the signal that ended it, or 0

  // "exited with status 1", "was ended by signal 11 (Segmentation fault)"
  std::string text() const;
};

// The process runs in a group of its own, so that a terminal's Ctrl-C reaches only us, and its children can
// be ended with it. Should we be killed, the kernel kills it (Linux), and its stdin closes. All callbacks run
// from the io_context's loop, never from within a call of this class, and not after it is destroyed.
class ServerProcess {
 public:
  struct Callbacks {
    std::function<void(std::string_view bytes)> on_output;        // its standard output
    std::function<void(std::string_view bytes)> on_error_output;  // its standard error
    // Once, after it has ended and what it still wrote has been handed over.
    std::function<void(ExitStatus)> on_exit;
  };

  // Error: it cannot be run; the message says why.
  static Result<std::unique_ptr<ServerProcess>> start(boost::asio::io_context& io,
                                                      const ProcessOptions& options, Callbacks callbacks);
  // Kills the group if it has not ended.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Queues bytes for its standard input. After its stdin is closed, from either side, they are dropped: its
  // exit tells.
  void write(std::string bytes);
  // Bytes queued and not yet taken by the system; the caller bounds what it asks for by it.
  std::size_t unwritten() const;

  // Closes its stdin once all is written, and gives it `grace` to end by itself; then SIGTERM to the group,
  // and after as long again, or 2 s, SIGKILL. on_exit follows in any case. Called again, the shorter grace
  // wins.
  void stop(std::chrono::milliseconds grace);

  int pid() const;

 private:
  class Impl;
  explicit ServerProcess(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

}  // namespace symbols::process
