// A call's side of --warm: the daemon is found, started if there is none, and asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/daemon/warm_connection.h"
#include "proxy/output/document_run.h"
#include "proxy/terminal/terminal.h"

namespace symbols::daemon {

// Leaves the run to the daemon, where the user wants that and it can be: not with standard input or a log.
// Returns the exit status. None: nothing has been written, and the caller has to answer. Does not return if
// the reader of standard output is gone.
std::optional<int> run_warm(const output::DumpArguments& in_effect, const terminal::Console& console);

// All that came back until the connection was closed, or until silence made the daemon count as lost.
struct Reply {
  fs::path socket{};
  std::string bytes{};          // without the end
  std::optional<int> status{};  // of report::end; none: the daemon was lost, or refused
};

// Sends a request to all daemons of this user, of whatever environment and build. Error: runtime_folder()'s.
Result<std::vector<Reply>> ask_all(Wanted wanted);

// The run that a command line asks for, read in the working folder for this console. None: the command line
// is wrong, or is not about documents.
using PrepareDump = std::function<std::optional<output::Dump>(const std::vector<std::string>& words,
                                                              const terminal::Console& console)>;

// The daemon, in warm_daemon.cc: does the runs of other calls, of this build and with this environment, as
// those calls would, with the servers of the runs before. Listens on `socket` until it is told to stop, or
// nothing was asked for a while and no server is left. Returns the exit status.
int run_warm_daemon(const std::string& socket, PrepareDump prepare_dump);

}  // namespace symbols::daemon
