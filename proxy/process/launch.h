// Fork and exec, and all that has to happen in between.
//
// The launcher is Boost.Process's. Its process handle is not used, as it waits on Asio's loop, which costs
// one system call more per message than ours (relay/event_loop.h); two loops side by side would mean polling
// every 10 ms whether the child has ended. So this is the only place that includes Asio and Boost.Process.
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
  std::vector<std::string> environment{};  // NAME=VALUE, overriding our own
  // If set, it is confined (confinement.h), and may write below these folders and nowhere else; or it is not
  // started.
  std::optional<std::vector<std::string>> only_writable_folders{};
  // It gets every descriptor that is not closed on exec, as if our own parent had started it; else only the
  // standard ones.
  bool inherits_descriptors = false;
};

// Standard input, output and error of a child: descriptors that the caller keeps and closes.
using StandardStreams = std::array<int, 3>;

// Runs the program in its own process group, so that a terminal's Ctrl-C reaches only us, and its children
// can be ended with it. If we are killed, the kernel kills it (Linux). `blocked`: the signals that it starts
// with blocked; null: ours. Returns its process id, which the caller has to wait for. Error: it cannot be
// run, and no child is left; the message says why.
Result<pid_t> launch(const ProcessOptions& options, const StandardStreams& streams, const sigset_t* blocked);

// Kills a launched child, which may not have its own group yet, and its group, and waits for it for up to a
// second. One that hangs in the kernel (a dead network file system) is left to init.
void kill_group(pid_t child);

}  // namespace symbols::process
