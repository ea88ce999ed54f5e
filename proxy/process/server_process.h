// A child process with pipes to its standard streams: a language server, or any program whose output is
// wanted. And the end of what it wrote to its standard error.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/process/child_process.h"

namespace symbols::process {

// Its stop() closes its standard input first; on_exit follows in any case.
class ServerProcess : public ChildProcess {
 public:
  // Called from the loop, not after it is destroyed, and never from within a call to this class. What has
  // come of its standard error is handed over before its standard output, whichever was written first.
  struct Callbacks {
    std::function<void(std::string_view bytes)> on_output;        // its standard output
    std::function<void(std::string_view bytes)> on_error_output;  // its standard error
    // Once, after it has ended and the rest of its output has been handed over. Only this callback may
    // destroy the ServerProcess.
    OnExit on_exit;
    // Its standard output was closed, and it has not ended yet. May be empty.
    std::function<void()> on_output_closed{};
  };

  // Writes to its standard input, or queues what the pipe does not take. After close_input(), or once the
  // process has stopped reading, bytes are dropped: its exit is the error.
  virtual void write(std::string_view bytes) = 0;
  // Closes its standard input once everything is written.
  virtual void close_input() = 0;
  // Bytes queued and not yet taken by the system, for callers that bound the queue.
  virtual std::size_t unwritten() const = 0;
};

// How servers are started: start_server() on a loop, or a test's replacement.
using StartServer =
    std::function<Result<std::unique_ptr<ServerProcess>>(const ProcessOptions&, ServerProcess::Callbacks)>;

// `loop` must outlive the process. Error: it cannot be run; the message says why.
Result<std::unique_ptr<ServerProcess>> start_server(io::EventLoop& loop, const ProcessOptions& options,
                                                    ServerProcess::Callbacks callbacks);

// The end of what a server wrote to its standard error: usually the only reason given for its end. Keeps the
// last 16 KiB: more than most stacks have.
class StderrTail {
 public:
  void add(std::string_view bytes);

  // The last lines that are neither blank nor part of a stack, at most three, in one line and escaped for a
  // terminal; the one before the last stack is always among them. A stack is shown where there is nothing
  // else. Empty if nothing was written.
  std::string text() const;

 private:
  static constexpr std::size_t limit_ = std::size_t{16} << 10;
  std::string tail_;
};

}  // namespace symbols::process
