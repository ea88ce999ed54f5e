// A child process: starts it, ends it for certain, and tells how it ended.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "proxy/io/event_loop.h"

namespace symbols::process {

struct ProcessOptions {
  std::string program;  // a path with a slash in it; nothing is looked up, no shell is involved
  std::vector<std::string> arguments{};    // without the program's name
  std::string working_directory{};         // empty: ours
  std::vector<std::string> environment{};  // NAME=VALUE, overriding what it inherits
  // NAME=VALUE: what it inherits; none: all of our own environment.
  std::optional<std::vector<std::string>> inherited_environment{};
  // If set, it is confined (system/confinement.h), to writing below these folders only; or it is not started.
  std::optional<std::vector<std::string>> only_writable_folders{};
  // It gets every descriptor that is not closed on exec, as if our own parent had started it; else only the
  // standard ones.
  bool inherits_descriptors = false;
};

// Standard input, output and error of a child: descriptors that the caller keeps and closes.
using StandardStreams = std::array<int, 3>;

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
  virtual void stop(milliseconds grace) = 0;

  // SIGKILL to its group, now: it does nothing any more, unless it hangs in the kernel for a second.
  virtual void kill() = 0;

  // The resident bytes of it and of what it has started.
  virtual std::size_t memory() const = 0;
};

// Called once, from the loop, when the process has ended; it may destroy the ChildProcess.
using OnExit = std::function<void(ExitStatus)>;

// Runs the program in its own process group, so that a terminal's Ctrl-C reaches only us, and its children
// can be ended with it. If we are killed, the kernel kills it (Linux). `loop` must outlive the process.
// Error: it cannot be run; the message says why.
Result<std::unique_ptr<ChildProcess>> start_child(io::EventLoop& loop, const ProcessOptions& options,
                                                  const StandardStreams& streams, OnExit on_exit);

}  // namespace symbols::process
