#include "proxy/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "proxy/cli/command.h"
#include "proxy/cli/command_help.h"
#include "proxy/cli/completion.h"
#include "proxy/cli/dump_flags.h"
#include "proxy/cli/unexpected_words.h"
#include "proxy/settings/source_place.h"
#include "proxy/settings/version.h"

namespace symbols::cli {
namespace {

constexpr const char* footer = R"(
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
Exit status: 0 answered; 1 an input could not be answered; 2 wrong command line.)";

// In the order of the help.
constexpr auto add_commands =
    std::to_array({add_servers, add_config, add_doctor, add_context, add_setup, add_proxy, add_mcp, add_warm,
                   add_convert, add_index, add_find, add_map, add_completions});

const CLI::App& parsed_command(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// `symbols help` and `symbols help COMMAND`, unless that is a file.
bool asks_for_help(const std::vector<std::string>& words) {
  return (words.size() == 1 || words.size() == 2) && words.front() == "help" && !is_there("help");
}

}  // namespace

CommandLine parse_command_line(std::vector<std::string> words) {
  if (asks_for_help(words)) {
    words.erase(words.begin());
    words.emplace_back("--help");
    return parse_command_line(std::move(words));
  }
  CLI::App app{"Prints the symbols of source files, from their language servers, as a compact table.",
               "symbols"};
  app.footer(footer);
  // After a command the name of another is a word as any: symbols find index.
  app.require_subcommand(0, 1);
  app.set_help_flag("-h", "Short help: the common options, and examples");
  app.set_help_all_flag("--help", "This help with all options");
  app.set_version_flag("-V,--version", "symbols " + settings::program_version());
  DumpFlags dump_flags;
  dump_flags.add_to(app);
  std::vector<Command> commands;
  for (Command (*const add)(CLI::App&) : add_commands) commands.push_back(add(app));
  group_options(app);
  for (const Command& command : commands) group_options(*command.app);

  if (!words.empty() && words.front() == "__complete")
    return Finished{0, complete(app, {words.begin() + 1, words.end()}), ""};
  const auto wrong = [&app](const std::string& what) {
    const CLI::App& command = parsed_command(app);
    return Finished{2, "",
                    fmt::format("symbols: {}\nTry 'symbols {}--help'.\n", what,
                                &command == &app ? "" : command.get_name() + ' ')};
  };
  // Everything after `--` is the server's command, whatever it looks like.
  const bool is_proxy = !words.empty() && words.front() == "proxy";
  const auto end = is_proxy ? std::ranges::find(words, "--") : words.end();
  try {
    // CLI11 takes them from the end.
    app.parse(std::vector<std::string>(std::make_reverse_iterator(end), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return Finished{0, help_text(parsed_command(app), HelpLength::brief), ""};
  } catch (const CLI::CallForAllHelp&) {
    return Finished{0, help_text(parsed_command(app), HelpLength::full), ""};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "symbols " + settings::program_version() + "\n", ""};
  } catch (const CLI::ExtrasError&) {
    return wrong(unexpected_word(app));
  } catch (const CLI::ParseError& error) {
    return wrong(error.what());
  }

  const auto is_parsed = [](const Command& command) { return command.app->parsed(); };
  if (const auto command = std::ranges::find_if(commands, is_parsed); command != commands.end()) {
    const std::string& name = command->app->get_name();
    // Words before a command's name do not belong to it, but for `--warm context`.
    if (dump_flags.any_but_warm() || (dump_flags.warm() && name != "context")) {
      return wrong(fmt::format("'{}' is a command and must come first; for a file of that name write ./{}",
                               name, name));
    }
    Result<CommandLine> line = command->read(words);
    if (!line) return wrong(line.error().text());
    if (auto* const context = std::get_if<settings::ContextArguments>(&*line)) {
      std::optional<bool>& warm = context->document.settings.warm;
      if (!warm) warm = dump_flags.warm();
    }
    return std::move(*line);
  }

  // A place in a file, as editors and compilers print it, is asked about as `symbols context` does.
  const std::vector<std::string> paths = dump_flags.paths();
  if (paths.size() == 1 && settings::has_line(paths.front()) && !is_there(paths.front())) {
    words.insert(words.begin(), "context");
    return parse_command_line(std::move(words));
  }
  Result<settings::DumpArguments> dump = dump_flags.read(words);
  if (!dump) return wrong(dump.error().text());
  return std::move(*dump);
}

}  // namespace symbols::cli
