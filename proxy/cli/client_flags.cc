#include <chrono>
#include <optional>
#include <string_view>

#include "proxy/cli/command.h"

namespace symbols::cli {
namespace {

constexpr const char* proxy_footer = R"(
Configure the client to start this instead of the server. Requests for symbols and hovers are answered according
to these options, or to the client's initializationOptions.symbols; all other messages pass byte for byte.

Examples:
  symbols proxy -- clangd --log=error
  symbols proxy -f tree -n 4000 -- typescript-language-server --stdio
  symbols proxy -f standard --log traffic.log -- gopls
  symbols proxy --restart -- clangd       another clangd where one crashes
  symbols proxy --confine -- clangd       without network, and without writing

Exit status: the server's own; 128+N if signal N ended it; 127 if it is not found,
126 if it cannot be run; 2 wrong command line.)";

constexpr const char* mcp_footer = R"(
The tools are outline, find, context, map, diagnostics and hover. They answer only about files in the
client's roots or, if the client has none, in the folder that symbols was started in. Client configuration:

  {"mcpServers": {"symbols": {"command": "symbols", "args": ["mcp"]}}}

Examples:
  symbols mcp
  symbols mcp -r ~/src/project            only this folder, whatever the client's roots

Exit status: 0 the client closed the connection; 2 wrong command line.)";

constexpr const char* setup_footer = R"(
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

Exit status: 0 printed or written; 1 something was not; 2 wrong command line, or an unknown NAME.)";

// "5/3": restarts, minutes.
std::optional<session::RestartLimit> restarts_in_minutes(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto most = options::OptionValue::of_text("", text.substr(0, slash)).number_within(1, 1000);
  const auto minutes = options::OptionValue::of_text("", text.substr(slash + 1)).number_within(1, 24 * 60);
  if (!most || !minutes) return {};
  return session::RestartLimit{.most = static_cast<std::size_t>(*most),
                               .window = std::chrono::minutes(*minutes)};
}

Result<void> read_restart(const Given& given, session::RestartOptions& restart) {
  restart.enabled = given.has("--restart");
  for (const char* const flag : {"--restart-limit", "--stall-timeout"}) {
    if (given.has(flag) && !restart.enabled)
      return Error{std::string(flag) + " needs --restart", "give both, or neither"};
  }
  if (given.has("--restart-limit")) {
    const std::string text = given.text("--restart-limit");
    const auto limit = restarts_in_minutes(text);
    if (!limit) {
      return options::OptionValue::of_text("--restart-limit", text)
          .error("1 to 1000 restarts and 1 to 1440 minutes, such as 5/3");
    }
    restart.limit = *limit;
  }
  if (given.has("--stall-timeout")) {
    const std::string text = given.text("--stall-timeout");
    const auto time = options::OptionValue::of_text("--stall-timeout", text).time();
    if (!time) return time.error();
    restart.stall_timeout = *time;
  }
  return {};
}

Result<CommandLine> read_proxy(const Given& given) {
  settings::ProxyArguments proxy{.server = given.arguments, .session = {}, .log = given.text("--log")};
  if (const Result<void> fits = given.answers.check("--max-tokens"); !fits) return fits.error();
  session::ProxyOptions& session = proxy.session;
  session.answers = given.answers;
  if (given.has("--answer")) {
    Result<session::ServerAnswers> answered =
        session::ServerAnswers::parse("--answer", given.text("--answer"));
    if (!answered) return answered.error();
    session.answer_server = std::move(*answered);
  }
  if (given.has("--auto-open") || given.has("--no-auto-open")) session.auto_open = given.has("--auto-open");
  session.ascii = given.has("--ascii");
  session.stats = given.has("--stats");
  session.confine = given.answers.confine.value_or(false);
  if (const Result<void> read = read_restart(given, session.restart); !read) return read.error();
  if (proxy.server.empty())
    return Error{"no server given", "give its command after --, such as: symbols proxy -- clangd"};
  return proxy;
}

Result<CommandLine> read_mcp(const Given& given) {
  return settings::McpArguments{.roots = given.texts("--root"),
                                .trust_project = given.has("--trust-project"),
                                .confine = given.answers.confine};
}

Result<CommandLine> read_setup(const Given& given) {
  settings::SetupArguments setup{.name = given.argument(0),
                                 .to = given.text("--to"),
                                 .table = given.has("--table"),
                                 .mcp = given.has("--mcp"),
                                 .write = given.has("--write"),
                                 .yes = given.has("--yes")};
  if (setup.yes && !setup.write) return Error{"--yes needs --write", ""};
  if (setup.name.empty() && !given.flags.empty())
    return Error{"setup needs a name with these options", "'symbols setup' lists the names"};
  if (setup.table && setup.mcp) return Error{"--table and --mcp exclude each other", ""};
  if (given.has("--to") && setup.to.empty()) return Error{"--to is empty", "give a path"};
  return setup;
}

}  // namespace

const Command proxy_command = {.name = "proxy",
                               .taker = options::takers::proxy,
                               .summary = "Run between a client and a language server,\non stdin and stdout",
                               .usage = "[OPTIONS] -- SERVER [ARGUMENT...]",
                               .footer = proxy_footer,
                               .read = read_proxy,
                               .max_arguments = any_number};

const Command mcp_command = {.name = "mcp",
                             .taker = options::takers::mcp,
                             .summary = "Serve tools to an agent by MCP, on stdin and stdout",
                             .usage = "[OPTIONS]",
                             .footer = mcp_footer,
                             .read = read_mcp};

const Command setup_command = {
    .name = "setup",
    .taker = options::takers::setup,
    .summary = "Print or write the configuration of an editor or harness\nfor this machine",
    .usage = "[NAME] [--write] [OPTIONS]",
    .footer = setup_footer,
    .read = read_setup,
    .arguments = {{{"NAME", "The editor or agent harness"}}},
    .max_arguments = 1};

}  // namespace symbols::cli
