#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "proxy/cli/command.h"
#include "proxy/cli/command_help.h"
#include "proxy/cli/completion.h"
#include "proxy/servers/server_registry.h"
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

struct CompletionsFlags {
  std::string shell{};
  bool servers = false;
};

struct ManualFlags {
  std::string page{};
  std::string folder{};
};

// Of the built-in servers, where the user's file cannot be read: who completes a word wants no message.
std::string server_names() {
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  const servers::ServerRegistry known = registry ? std::move(*registry) : servers::ServerRegistry::built_in();
  std::string names;
  for (const servers::ServerSpec& server : known.servers()) names += server.name + '\n';
  return names;
}

Result<CommandLine> print_completions(const CLI::App& program, const CompletionsFlags& flags) {
  if (flags.servers) return Finished{0, server_names(), ""};
  std::string known = "give one of ";
  for (const Shell& one : shells) known.append(&one == shells.begin() ? "" : ", ").append(one.name);
  if (flags.shell.empty()) return Error{"no shell given", known};
  const auto* const shell = std::ranges::find(shells, flags.shell, &Shell::name);
  if (shell == shells.end())
    return Error{fmt::format("there are no completions for the shell {}", table::quoted(flags.shell)), known};
  return Finished{0, shell->script(program), ""};
}

Result<CommandLine> print_manual(const CLI::App& program, const ManualFlags& flags) {
  if (!flags.folder.empty()) {
    const Result<void> written = write_manual_pages(program, flags.folder);
    return written ? Finished{} : Finished{1, "", fmt::format("symbols: {}\n", written.error().text())};
  }
  if (flags.page.empty()) return Finished{0, manual_page(program), ""};
  const std::vector<const CLI::App*> commands = completed_commands(program);
  const auto found = std::ranges::find(commands, flags.page, &CLI::App::get_name);
  if (found == commands.end())
    return Error{fmt::format("there is no command {}", table::quoted(flags.page)),
                 "'symbols --help' lists them"};
  return Finished{0, manual_page(**found), ""};
}

}  // namespace

Command add_completions(CLI::App& program) {
  const auto flags = std::make_shared<CompletionsFlags>();
  CLI::App* const app =
      program.add_subcommand("completions", "Print the script that completes symbols in a shell");
  app->group(more_commands)->footer(completions_footer);
  app->add_option("SHELL", flags->shell, "bash, zsh or fish")->type_name("");
  app->add_flag("--servers", flags->servers)->group("");
  return {app, [flags, &program](const auto&) { return print_completions(program, *flags); }};
}

Command add_manual(CLI::App& program) {
  const auto flags = std::make_shared<ManualFlags>();
  CLI::App* const app =
      program.add_subcommand("manual", "Print a manual page,\nof symbols or of one of its commands");
  app->group(more_commands)->footer(manual_footer);
  app->add_option("COMMAND", flags->page, "One of the commands (default: symbols itself)")->type_name("");
  app->add_option("--to", flags->folder, "Write all pages into this folder")->type_name("DIR");
  return {app, [flags, &program](const auto&) { return print_manual(program, *flags); }};
}

}  // namespace symbols::cli
