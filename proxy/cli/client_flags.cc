#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "proxy/cli/command.h"
#include "proxy/cli/common_flags.h"
#include "proxy/cli/unexpected_words.h"

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
file or folder that each would write. Without --write, prints new files in full and existing files as a diff. With
--write, an existing file is changed only with your consent (--yes, or at the terminal), and its old content is kept
beside it as FILE.symbols-backup-N. Everything else in the file stays as it is.

Examples:
  symbols setup
  symbols setup opencode
  symbols setup opencode --write --yes
  symbols setup opencode --to ./opencode.json --write      for one project
  symbols setup codex --write                              tools for an agent that supports only MCP
  symbols setup claude-code --mcp --write                  tools for one that also supports language servers

Exit status: 0 printed or written; 1 something was not; 2 wrong command line, or an unknown NAME.)";

struct ProxyFlags {
  settings::ProxyArguments proxy{};
  AnswerFlags answers{};
  std::string answer{};
  bool auto_open = false;
  bool no_auto_open = false;
  std::string restart_limit{};
  std::string stall_timeout{};
};

void add_restart_flags(CLI::App& app, ProxyFlags& flags) {
  app.add_flag("--restart", flags.proxy.session.restart.enabled,
               "Start the server again when it crashes, with the documents that are open");
  app.add_option("--restart-limit", flags.restart_limit,
                 "Give up after N restarts within so many minutes, or in a row (default 5/3)")
      ->type_name("N/MINUTES");
  app.add_option("--stall-timeout", flags.stall_timeout,
                 "With --restart: restart a server, too, that owes a reply and has sent nothing for so long "
                 "(default never)")
      ->type_name("TIME");
}

// "5/3": restarts, minutes.
std::optional<session::RestartLimit::Values> restarts_in_minutes(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto most = options::OptionValue::of_text("", text.substr(0, slash)).number_within(1, 1000);
  const auto minutes = options::OptionValue::of_text("", text.substr(slash + 1)).number_within(1, 24 * 60);
  if (!most || !minutes) return {};
  return session::RestartLimit::Values{.most = static_cast<std::size_t>(*most),
                                       .window = std::chrono::minutes(*minutes)};
}

Result<void> read_restart_flags(const ProxyFlags& flags, session::RestartOptions& restart) {
  if (!flags.restart_limit.empty()) {
    if (!restart.enabled) return Error{"--restart-limit needs --restart", "give both, or neither"};
    const auto limit = restarts_in_minutes(flags.restart_limit);
    if (!limit) {
      return options::OptionValue::of_text("--restart-limit", flags.restart_limit)
          .error("1 to 1000 restarts and 1 to 1440 minutes, such as 5/3");
    }
    restart.limit = *limit;
  }
  if (!flags.stall_timeout.empty()) {
    if (!restart.enabled) return Error{"--stall-timeout needs --restart", "give both, or neither"};
    const Result<std::chrono::milliseconds> time = read_time("--stall-timeout", flags.stall_timeout);
    if (!time) return time.error();
    restart.stall_timeout = *time;
  }
  return {};
}

Result<CommandLine> read_proxy(const ProxyFlags& flags, const CLI::App& program,
                               const std::vector<std::string>& before_dashes,
                               std::span<const std::string> dashes) {
  settings::ProxyArguments proxy = flags.proxy;
  proxy.server = before_dashes;
  if (!proxy.server.empty() && proxy.server.front().starts_with('-')) {
    const std::string unknown = unexpected_word(program, proxy.server.front());
    return Error{unknown + (unknown.ends_with('?') ? " Options" : "; options") +
                     " of the server go after -- and its name",
                 {}};
  }
  Result<options::AnswerOptions> answers = flags.answers.read();
  if (!answers) return answers.error();
  proxy.session.answers = std::move(*answers);
  if (!flags.answer.empty()) {
    Result<session::ServerAnswers> answered = session::ServerAnswers::parse("--answer", flags.answer);
    if (!answered) return answered.error();
    proxy.session.answer_server = std::move(*answered);
  }
  if (flags.auto_open && flags.no_auto_open)
    return Error{"--auto-open and --no-auto-open exclude each other", "give one of them"};
  if (flags.auto_open || flags.no_auto_open) proxy.session.auto_open = flags.auto_open;
  if (const Result<void> read = read_restart_flags(flags, proxy.session.restart); !read) return read.error();
  // After the server's name, `--` is one of its arguments.
  if (proxy.server.empty() && !dashes.empty()) dashes = dashes.subspan(1);
  proxy.server.insert(proxy.server.end(), dashes.begin(), dashes.end());
  if (proxy.server.empty())
    return Error{"no server given", "give its command after --, such as: symbols proxy -- clangd"};
  return proxy;
}

}  // namespace

Command add_proxy(CLI::App& program) {
  const auto flags = std::make_shared<ProxyFlags>();
  session::ProxyOptions& session = flags->proxy.session;
  CLI::App* const app =
      program.add_subcommand("proxy", "Run between a client and a language server,\non stdin and stdout");
  app->footer(proxy_footer);
  app->prefix_command();
  flags->answers.add_to(*app, AnswerFlags::Use::proxy);
  app->add_flag("--auto-open", flags->auto_open,
                "Open documents for a client that does not (default with a text format)");
  app->add_flag("--no-auto-open", flags->no_auto_open, "Never open documents for the client");
  app->add_option("--answer", flags->answer,
                  "Answer these server requests for a client that does not: configuration, "
                  "registerCapability, ...; or all")
      ->type_name("LIST");
  add_restart_flags(*app, *flags);
  app->add_flag("--confine,!--no-confine", session.confine,
                "--confine: let the kernel keep the server from the network, and from writing outside of a "
                "folder of its own; --no-confine: do not (default: --no-confine)");
  app->add_flag("--ascii", session.ascii, "Write every message in pure ASCII");
  app->add_flag("--stats", session.stats, "At the end, print what was intercepted and how much it saved");
  app->add_option("--log", flags->proxy.log, "Write the LSP traffic to this file")->type_name("FILE");
  return {
      app, [flags, app, &program](const std::vector<std::string>& words) {
        return read_proxy(*flags, program, app->remaining(), {std::ranges::find(words, "--"), words.end()});
      }};
}

Command add_mcp(CLI::App& program) {
  const auto mcp = std::make_shared<settings::McpArguments>();
  CLI::App* const app = program.add_subcommand("mcp", "Serve tools to an agent by MCP, on stdin and stdout");
  app->add_option("-r,--root", mcp->roots,
                  "Folder that may be asked about, instead of those the client names; may be repeated")
      ->type_name("DIR");
  add_trust_flags(*app, trust_help, mcp->trust_project, mcp->confine);
  app->footer(mcp_footer);
  return {app, [mcp](const auto&) { return *mcp; }};
}

Command add_setup(CLI::App& program) {
  const auto setup = std::make_shared<settings::SetupArguments>();
  CLI::App* const app = program.add_subcommand(
      "setup", "Print or write the configuration of an editor or harness\nfor this machine");
  app->footer(setup_footer);
  app->add_option("NAME", setup->name, "The editor or agent harness")->type_name("");
  app->add_flag("--write", setup->write, "Write the configuration instead of printing it");
  app->add_flag("-y,--yes", setup->yes, "With --write: change existing files without asking");
  app->add_flag("--table", setup->table,
                "For harnesses that print symbols in a layout of their own: show a file's symbols as one "
                "compact table");
  app->add_flag("--mcp", setup->mcp,
                "Give the agent the tools of 'symbols mcp' (outline, find, context, map, ...), instead of "
                "language servers");
  const CLI::Option* const to =
      app->add_option("--to", setup->to,
                      "File to use instead of the user's own one; for nvim, vim and claude-code a folder")
          ->type_name("PATH");
  return {app, [setup, to](const auto&) -> Result<CommandLine> {
            if (setup->yes && !setup->write) return Error{"--yes needs --write", ""};
            if (setup->name.empty() && (setup->write || setup->table || setup->mcp || !setup->to.empty())) {
              return Error{"setup needs a name with these options", "'symbols setup' lists the names"};
            }
            if (setup->table && setup->mcp) return Error{"--table and --mcp exclude each other", ""};
            if (to->count() > 0 && setup->to.empty()) return Error{"--to is empty", "give a path"};
            return *setup;
          }};
}

}  // namespace symbols::cli
