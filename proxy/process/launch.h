// Fork and exec, and all that has to happen between the two.
//
// The launcher is Boost.Process's. Its process handle is not used, as it waits on Asio's loop: that costs a
// system call more for each message than ours (relay/event_loop.h), and both loops side by side meant a look
// every 10 ms whether the child had ended. So this is the one place that includes Asio and Boost.Process.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace symbols::process {

struct ProcessOptions {
  std::string program;  // a path with a slash in it; nothing is looked up, no shell is involved
  std::vector<std::string> arguments{};    // without the program's name
  std::string working_directory{};         // empty: ours
  std::vector<std::string> environment{};  // NAME=VALUE, put over our own
  // Where set, it may write below these folders and nowhere else (write_confinement.h), or it is not started.
  std::optional<std::vector<std::string>> only_writable_folders{};
  // It gets every descriptor that is not closed on exec, as one does that stands in for who started us; else
  // the standard ones alone.
  bool inherits_descriptors = false;
};

// Standard input, output and error of a child: descriptors that stay the caller's.
using StandardStreams = std::array<int, 3>;

// Runs the program in a process group of its own, so that a terminal's Ctrl-C reaches only us, and its
// children can be ended with it. Should we be killed, the kernel kills it (Linux). `blocked` are the signals
// that it starts with blocked; null: ours. Gives its process id, for the caller to wait for.
// Error: it cannot be run, and no child is left; the message says why.
Result<pid_t> launch(const ProcessOptions& options, const StandardStreams& streams, const sigset_t* blocked);

// Kills a child that was launched, in its group or not there yet, and with it its group, and waits for it.
// One that hangs in the kernel (a dead network file system) is left to init.
void kill_group(pid_t child);

}  // namespace symbols::process
