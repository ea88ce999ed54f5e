// The commands, each from its arguments to the exit status (docs/spec.md, section 8), which it returns.
// Answers go to standard output, the reasons why there is none to standard error.
#pragma once

#include "proxy/settings/arguments.h"

namespace symbols::commands {

// `symbols PATH…`. If a signal ends the work (SIGINT, SIGTERM, SIGHUP; SIGPIPE if the reader is gone), the
// servers are ended first, and then this process by that signal.
int run(const settings::DumpArguments& arguments);

// `symbols context FILE:LINE[:COLUMN]` and `symbols context FILE NAME`: everything about one symbol, as
// table/context_text.h describes it. Signals: as for the first.
int run(const settings::ContextArguments& arguments);

// `symbols convert --from FORMAT --to FORMAT [--hovers FILE] [FILE]`: converts between formats, without a
// server (docs/spec.md, section 2).
int run(const settings::ConvertArguments& arguments);

// `symbols servers`: prints the list of proxy/servers/servers_list.h. 1 if the user's servers.json is wrong
// or standard output cannot be written.
int run(const settings::ServersArguments& arguments);

// `symbols config [PATH]`: prints the settings in effect and where each is from. 1 if a file or a variable is
// wrong.
int run(const settings::ConfigArguments& arguments);

// `symbols doctor [DIR]`: tries what is set up, and prints what it has found (docs/install.md). 1 if
// something is broken; 2 if DIR is not a directory.
int run(const settings::DoctorArguments& arguments);

// `symbols index [DIR]`: asks for the symbols of a project's files, but for those that the index has already,
// and keeps them; with --merge, takes them from other indexes (docs/index.md). 1 if a file could not be
// answered or kept. Signals: as for the first.
int run(const settings::IndexArguments& arguments);

// `symbols find QUERY`: the symbols with such a name, from the index; without one, those that the servers
// which are kept know. 1 if there is neither.
int run(const settings::FindArguments& arguments);

// `symbols map [DIR]`: the outline of a project within a budget, from its index (docs/index.md). 1 if there
// is no index or it has no such file; 2 if DIR is not a directory of it.
int run(const settings::MapArguments& arguments);

// `symbols setup [NAME] [--write]`: the configuration of an editor or agent harness with this machine's
// paths, printed or written (docs/setup.md). 1 if something was not written or could not be printed; 2 for an
// unknown name.
int run(const settings::SetupArguments& arguments);

// `symbols mcp`: serves a client of the Model Context Protocol on standard input and output until it closes
// its end (docs/agents.md). 2 if a --root is not a directory. Signals: as for the first.
int run(const settings::McpArguments& arguments);

// `symbols warm`: prints what the processes of --warm keep, or stops them.
int run(const settings::WarmArguments& arguments);

// `symbols proxy [options] -- SERVER ARG…`: starts the server and relays between it and the client on
// standard input and output until both have ended. The status is the server's own, 128+N if signal N ended
// it, 126 or 127 if it cannot be run or is not found; the client's first request is then answered with the
// reason.
int run(const settings::ProxyArguments& arguments);

}  // namespace symbols::commands
