#include <memory>

#include "proxy/cli/command.h"

namespace symbols::cli {
namespace {

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

}  // namespace

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
