// The table of the commands, with their helps.
#include <algorithm>

#include "proxy/cli/command_line.h"

namespace symbols::cli {
namespace {

namespace takers = options::takers;

constexpr auto known_commands = std::to_array<Command>({
    {"servers", takers::servers, run_servers,
     "List language servers:\nthose found with their versions, and how to install the others", "[OPTIONS]",
     "",
     R"(
Your own servers: ~/.config/symbols/servers.json, see docs/servers.md.

Examples:
  symbols servers
  symbols -s pyright src/app.py           use one of them by its name

Exit status: 0 listed; 1 servers.json is wrong; 2 wrong command line.)"},

    {"config", takers::config, run_config, "List the settings and where each comes from", "[PATH] [OPTIONS]",
     "PATH\tList the settings for this file or folder (default: this folder)",
     R"(
Settings come from the environment, the project's .symbols.json and ~/.config/symbols/config.json;
see docs/configuration.md.

Examples:
  symbols config
  symbols config src -f json              the settings that apply to src
  SYMBOLS_FORMAT=tree symbols config

Exit status: 0 listed; 1 a file or a variable is wrong; 2 wrong command line.)"},

    {"doctor", takers::doctor, run_doctor, "Find what is broken or slow, and what to do about it",
     "[DIR] [OPTIONS]", "DIR\tA project's folder (default: this one)",
     R"(
Each finding is ok, note, slow or broken, and says how to fix it. One file of each language is tried with a real
server. The configurations of editors and agents are compared with what 'symbols setup' writes.

Examples:
  symbols doctor
  symbols doctor src -t 60s               for servers that are slow to load
  symbols doctor -f json                  for programs

Exit status: 0 nothing is broken; 1 something is; 2 wrong command line.)"},

    {"context", takers::context, run_context,
     "Everything about one symbol:\nhover, children, source, references, callers, diagnostics",
     "[OPTIONS] FILE:LINE[:COLUMN]\n[OPTIONS] FILE NAME\n[OPTIONS] NAME",
     "FILE\tThe file, with :LINE or :LINE:COLUMN unless NAME is given\nNAME\tThe symbol's name",
     R"(
FILE:LINE selects the symbol declared on that line, else the innermost symbol around it; with COLUMN, the symbol
at that position. Both count from 1, columns in UTF-16 units. If several symbols have the name, their positions
are listed; a class, module or folder before it chooses: Table::Open, http.Serve, src/utils/sleep.

Examples:
  symbols context src/app.ts:24
  symbols context src/app.ts calculateArea -i references:50,callers:0
  symbols context calculateArea             finds its file in the index (see symbols index)
  symbols context src/app.ts:24:9 --children yes -n 500
  symbols context src/app.ts:24 -f table    exact positions, from zero as in LSP

Exit status: 0 answered; 1 there is no such symbol, or no answer; 2 wrong command line.)"},

    {"rename", takers::rename, run_rename, "Print the patch that renames a symbol\nin all files that name it",
     "[OPTIONS] FILE:LINE[:COLUMN] NEW\n[OPTIONS] FILE NAME NEW\n[OPTIONS] NAME NEW",
     "FILE\tThe file, with :LINE or :LINE:COLUMN unless NAME is given\nNAME\tThe symbol's name\nNEW\tIts new "
     "name",
     R"(
Nothing is written: the language server's edits are printed as a unified diff, with paths from the working folder.
FILE:LINE and NAME mean the same as for 'symbols context'; with COLUMN, what has its name there is renamed, a local
variable too. A note says where other files may have the name too, where the old name still stands in files that change,
and where NEW already does.

Examples:
  symbols rename src/app.ts:24 areaOf
  symbols rename src/app.ts calculateArea areaOf | git apply -p1

Exit status: 0 printed; 1 there is no such symbol, or it cannot be renamed; 2 wrong command line.)"},

    {"setup", takers::setup, run_setup,
     "Print or write the configuration of an editor or harness\nfor this machine",
     "[NAME] [--write] [OPTIONS]", "NAME\tThe editor or agent harness",
     R"(
Configures an editor or agent to start 'symbols proxy' in front of its language servers or, with --mcp and for agents
that support only MCP, to use the tools of 'symbols mcp'. Without NAME, lists the known editors and harnesses, with the
file or folder that each would write. Without --write, prints new files in full, and of existing files what is set in
them. With --write, an existing file is changed only with your consent (--yes, or at the terminal), and its old content
is kept beside it as FILE.symbols-backup. Everything else in the file stays as it is.

Examples:
  symbols setup
  symbols setup opencode
  symbols setup opencode --write --yes
  symbols setup opencode --to ./opencode.json --write      for one project
  symbols setup codex --write                              tools for an agent that supports only MCP
  symbols setup claude-code --mcp --write                  tools for one that also supports language servers

Exit status: 0 printed or written; 1 something was not; 2 wrong command line, or an unknown NAME.)"},

    {"proxy", takers::proxy, run_proxy, "Run between a client and a language server,\non stdin and stdout",
     "[OPTIONS] -- SERVER [ARGUMENT...]", "",
     R"(
Configure the client to start this instead of the server. Requests for symbols and hovers are answered according
to these options, or to the client's initializationOptions.symbols; all other messages pass byte for byte.

Examples:
  symbols proxy -- clangd --log=error
  symbols proxy -f tree -n 4000 -- typescript-language-server --stdio
  symbols proxy -f standard --log traffic.log -- gopls
  symbols proxy --restart -- clangd       another clangd where one crashes
  symbols proxy --confine -- clangd       without network, and without writing

Exit status: the server's own; 128+N if signal N ended it; 127 if it is not found,
126 if it cannot be run; 2 wrong command line.)"},

    {"mcp", takers::mcp, run_mcp, "Serve tools to an agent by MCP, on stdin and stdout", "[OPTIONS]", "",
     R"(
The tools are outline, find, context, map, diagnostics and hover. They answer only about files in the
client's roots or, if the client has none, in the folder that symbols was started in. Client configuration:

  {"mcpServers": {"symbols": {"command": "symbols", "args": ["mcp"]}}}

Examples:
  symbols mcp
  symbols mcp -r ~/src/project            only this folder, whatever the client's roots

Exit status: 0 the client closed the connection; 2 wrong command line.)"},

    {"warm", takers::warm, run_warm, "List or stop the servers that --warm keeps", "[--stop]", "",
     R"(
Examples:
  symbols --warm src/app.ts               keeps its server for ten minutes
  symbols warm                            list them
  symbols warm --stop

Exit status: 0 listed or stopped; 1 the background process does not answer; 2 wrong command line.)"},

    {"convert", takers::convert, run_convert, "Convert an answer, or a server's reply,\nto another format",
     "--from FORMAT --to FORMAT [OPTIONS] [FILE]", "FILE\tFile to convert; - (default) for standard input",
     R"(
No server is involved. A table without a column that the other format needs is an error.

Examples:
  symbols convert --from json --to tree reply.json
  symbols -f packed src/app.ts | symbols convert --from packed --to outline -H

Exit status: 0 converted; 1 the input cannot be converted; 2 wrong command line.)"},

    {"index", takers::index, run_index,
     "Index the symbols of a project;\nlater runs ask only about files that changed", "[DIR] [OPTIONS]",
     "DIR\tOnly the files in this folder of the project",
     R"(
DIR defaults to the whole project of the working folder. The index is stored in $XDG_CACHE_HOME/symbols/index; nothing
is written into the project. A run may be killed at any time: the answers so far are kept.

Examples:
  symbols index
  symbols index src
  symbols index --watch                         while you work
  symbols index --shard 3/8 --database 3.db     on the third of eight machines
  symbols index --merge 1.db 2.db 3.db          one index from several
  symbols find HoverCache

Exit status: 0 all files were answered; 1 one could not be answered or stored; 2 wrong command line.)"},

    {"find", takers::find, run_find, "Find symbols of a project by name, in its index", "QUERY... [OPTIONS]",
     "QUERY\tThe name, part of it, or words of it",
     R"(
Exact matches come first, then names that begin with QUERY, names that contain it, and names with its letters at the
starts of their words: hc finds HoverCache. A::b or A.b finds b in A. Several words find the names that have them, in
any order. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols find HoverCache
  symbols find Cache -k Class,Struct --limit 10
  symbols find Table::Open
  symbols find cache hover

Exit status: 0 found; 1 nothing was found, or there is no index; 2 wrong command line.)"},

    {"map", takers::map, run_map, "Outline a project within a budget of tokens,\nfrom its index",
     "[DIR] [OPTIONS]", "DIR\tOnly this folder of the project (default: all of it)",
     R"(
Prints folders, their files, and the names of each file and the members of its types (in braces), those first that
other files mention most. Tests, examples, templates, styles and the like come last. +N counts the folders, files or
names left out there. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols map
  symbols map src -n 1000

Exit status: 0 printed; 1 there is no index, or it has no such file; 2 wrong command line.)"},

    {"impact", takers::impact, run_impact,
     "List what a change touches:\nthe symbols that differ, and who uses them",
     "[REV] [--staged] [OPTIONS]\nFILE:LINE[:COLUMN]... [OPTIONS]",
     "REV\tThe commit to compare the work tree with (default: HEAD)\nFILE\tA place: its symbol, in place of "
     "a commit",
     R"(
Compares the texts of the symbols, not lines: one that only moved has not changed. Listed are the symbols that were
removed, renamed or added, or differ in their declaration or body; the lines that use them, with the functions that
call them there, tests apart; and where a name that is gone still stands. Files that git does not track are left out.
git runs without the project's hooks and configuration.

Examples:
  symbols impact                          since the last commit
  symbols impact main -n 2000
  symbols impact --staged --depth 2       the users of the callers too
  symbols impact src/app.ts:24            were that symbol changed

Exit status: 0 printed; 1 there is no repository or no such commit; 2 wrong command line.)"},

    {"check", takers::check, run_check,
     "List the errors that are new:\nsince a commit, or since the last check",
     "[FILE...] [--since REV|last] [OPTIONS]",
     "FILE\tOnly these files, and those that depend on them (default: those that have changed)",
     R"(
Asks the servers about the files that differ from the commit, also those that git does not track, and the files that
may depend on them, as they are; and where anything is wrong, as they were. Printed are the errors and warnings that
were not there before. Lines that only moved are the same lines.

Examples:
  symbols check                           since the last commit
  symbols check --since last              since the last check
  symbols check src/app.ts --since main

Exit status: 0 nothing new; 1 something new, or a file could not be asked about; 2 wrong command line.)"},

    {"completions", takers::completions, run_completions,
     "Print the script that completes symbols in a shell", "SHELL", "SHELL\tbash, zsh or fish",
     R"(
The packages install these scripts where the shells look for them. Otherwise:

  bash    symbols completions bash >~/.local/share/bash-completion/completions/symbols
          (without the package bash-completion: source that file in ~/.bashrc)
  zsh     symbols completions zsh >DIR/_symbols, in a folder of $fpath
  fish    symbols completions fish >~/.config/fish/completions/symbols.fish

Examples:
  source <(symbols completions bash)      for this shell alone
  symbols completions fish | source

Exit status: 0 printed; 2 wrong command line.)"},
});

}  // namespace

const Command dump_command = {"",
                              options::takers::dump,
                              run_dump,
                              "Prints the symbols of source files, from their language servers, as a table.",
                              "[OPTIONS] PATH...\nFILE:LINE[:COLUMN]\nCOMMAND [OPTIONS] ...",
                              "PATH\tFiles, folders; - for standard input (needs --language)",
                              R"(
Examples:
  symbols src/app.ts                      the symbols of one file, with hovers
  symbols -f tree -H src                  a folder, in few tokens; honours .gitignore
  symbols src/app.ts:24                   the symbol on line 24, as context prints it
  symbols context src/app.ts area         one symbol: hover, source, references, callers
  symbols index                           index the symbols of this project
  symbols find Cache -k Class             search that index by name
  symbols map src -n 2000                 its most used names, in 2,000 tokens
  symbols src/app.ts include/app.hpp      several files: each under a line ==> path <==
  symbols -f json lib.py                  LSP's own DocumentSymbol[]
  symbols -s 'clangd --log=error' -r . src/main.cc
  git show HEAD:app.ts | symbols -l typescript -
  symbols servers                         which language servers are installed
  symbols setup opencode --write          configure an editor or agent harness
  symbols proxy -- clangd                 for a client that starts clangd
  symbols mcp                             for an agent that uses MCP tools

symbols COMMAND -h: help for a command; --help: all options. After --, words are paths.
Exit status: 0 answered; 1 an input could not be answered; 2 wrong command line.)"};

std::span<const Command> all_commands() {
  return known_commands;
}

const Command* find_command_named(std::string_view name) {
  const auto* const found = std::ranges::find(known_commands, name, &Command::name);
  return found == known_commands.end() ? nullptr : found;
}

}  // namespace symbols::cli
