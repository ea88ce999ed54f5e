#include "proxy/cli/shell_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <optional>
#include <vector>

#include "proxy/cli/command_help.h"
#include "proxy/cli/completion_script.h"
#include "proxy/cli/completion_values.h"
#include "proxy/cli/manual_page.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr const char* completions_footer = R"(
The packages install these scripts where the shells look for them. Otherwise:

  bash    symbols completions bash >~/.local/share/bash-completion/completions/symbols
          (without the package bash-completion: source that file in ~/.bashrc)
  zsh     symbols completions zsh >DIR/_symbols, in a folder of $fpath
  fish    symbols completions fish >~/.config/fish/completions/symbols.fish

Examples:
  source <(symbols completions bash)      for this shell alone
  symbols completions fish | source

Exit status: 0 printed; 2 wrong command line.)";

constexpr const char* manual_footer = R"(
Examples:
  symbols manual | man -l -
  symbols manual find | man -l -
  symbols manual --to ~/.local/share/man/man1

Exit status: 0 printed or written; 1 a page cannot be written; 2 wrong command line.)";

// Of the built-in servers, where the user's file cannot be read: who completes a word wants no message.
std::string server_names() {
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load(servers::user_servers_file());
  const servers::ServerRegistry known = registry ? std::move(*registry) : servers::ServerRegistry::built_in();
  std::string names;
  for (const servers::ServerSpec& server : known.servers()) names += server.name + '\n';
  return names;
}

}  // namespace

void ShellCommands::add_to(CLI::App& program) {
  CLI::App* const completions =
      program.add_subcommand("completions", "Print the script that completes symbols in a shell");
  completions->group(more_commands)->footer(completions_footer);
  completions->add_option("SHELL", shell_, "bash, zsh or fish")->type_name("");
  completions->add_flag("--servers", servers_)->group("");
  completions_ = completions;

  CLI::App* const manual =
      program.add_subcommand("manual", "Print a manual page,\nof symbols or of one of its commands");
  manual->group(more_commands)->footer(manual_footer);
  manual->add_option("COMMAND", page_, "One of the commands (default: symbols itself)")->type_name("");
  manual->add_option("--to", folder_, "Write all pages into this folder")->type_name("DIR");
  manual_ = manual;
}

bool ShellCommands::parsed() const {
  return completions_->parsed() || manual_->parsed();
}

Result<Finished> ShellCommands::run(const CLI::App& program) const {
  return completions_->parsed() ? completions(program) : manual(program);
}

Result<Finished> ShellCommands::completions(const CLI::App& program) const {
  if (servers_) return Finished{0, server_names(), ""};
  const std::string known = fmt::format("give one of {}", fmt::join(shell_names(), ", "));
  if (shell_.empty()) return Error{"no shell given", known};
  std::optional<std::string> script = completion_script(program, shell_);
  if (!script)
    return Error{fmt::format("there are no completions for the shell {}", table::quoted(shell_)), known};
  return Finished{0, std::move(*script), ""};
}

Result<Finished> ShellCommands::manual(const CLI::App& program) const {
  if (!folder_.empty()) {
    const Result<void> written = write_manual_pages(program, folder_);
    return written ? Finished{} : Finished{1, "", fmt::format("symbols: {}\n", written.error().text())};
  }
  if (page_.empty()) return Finished{0, manual_page(program), ""};
  const std::vector<const CLI::App*> commands = completed_commands(program);
  const auto found = std::ranges::find(commands, page_, &CLI::App::get_name);
  if (found == commands.end())
    return Error{fmt::format("there is no command {}", table::quoted(page_)), "'symbols --help' lists them"};
  return Finished{0, manual_page(**found), ""};
}

}  // namespace symbols::cli
