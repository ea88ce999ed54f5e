// A child process: ends it for certain, and tells how it ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "proxy/process/launch.h"
#include "proxy/relay/event_loop.h"

namespace symbols::process {

// How a process ended.
struct ExitStatus {
  int code = 0;    // of exit(), if no signal ended it
  int signal = 0;  // the signal that ended it, or 0

  // "exited with status 1", "was ended by signal 11 (Segmentation fault)"
  std::string text() const;
};

class ChildProcess {
 public:
  // Kills its process group if it has not ended.
  virtual ~ChildProcess() = default;

  // Gives it `grace` to end by itself, then sends SIGTERM to its group, and after as long again (200 ms to 2
  // s) SIGKILL. If it is called again, the earlier deadline wins.
  virtual void stop(std::chrono::milliseconds grace) = 0;

  // The resident bytes of it and of what it has started.
  virtual std::size_t memory() const = 0;
};

// Called once, from the loop, when the process has ended; it may destroy the ChildProcess.
using OnExit = std::function<void(ExitStatus)>;

// How children are started: start_child() on a loop, or a test's replacement.
using StartChild = std::function<Result<std::unique_ptr<ChildProcess>>(const ProcessOptions&,
                                                                       const StandardStreams&, OnExit)>;

// `loop` must outlive the process. Error: it cannot be run; the message says why.
Result<std::unique_ptr<ChildProcess>> start_child(relay::EventLoop& loop, const ProcessOptions& options,
                                                  const StandardStreams& streams, OnExit on_exit);

}  // namespace symbols::process
