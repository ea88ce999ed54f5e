// `--server TEXT`: the name of a known server, or a command line of any other; and the words of a command
// line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/servers/server_lookup.h"

namespace symbols::servers {

// The words of a command line, by the shell's rules for quoting and no others: '…' takes everything
// literally, "…" everything except a backslash before `"` or `\`, and outside of quotes a backslash escapes
// the next character. Errors: a quote that is not closed, a backslash at the end, no word at all.
Result<std::vector<std::string>> split_command_line(std::string_view text);

// The server that `text` names: one of the registry by its name, else a command line. A program with a slash
// is a path relative to `options.working_folder`, which may be inside the project, since the user named it;
// any other is searched on the PATH as usual. Arguments that begin with ./ or ../, also behind the `=` of an
// option, are made absolute likewise, since the server is started elsewhere. A program that the registry
// knows gets that server's options (FoundServer::spec). Errors: find_server's, and split_command_line's.
Result<FoundServer> server_from_text(std::string_view text, const ServerRegistry& registry,
                                     const LookupOptions& options);

}  // namespace symbols::servers
