#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/cli/completion.h"

namespace symbols::cli {
namespace {

constexpr const char* fish_start = R"fish(# Completion of symbols for fish, made by: symbols completions fish

# Whether the words belong to this command; without one, to the program itself.
function __symbols_in
    set -l words (commandline -opc)
    contains -- -- $words; and return 1
    if contains -- "$words[2]" -w --warm; and test "$words[3]" = context
        set -e words[2]
    end
    set -l command ''
    contains -- "$words[2]" $__symbols_commands; and set command $words[2]
    test "$command" = "$argv[1]"
end

function __symbols_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the server of symbols proxy comes next.
function __symbols_is_server
    set -l words (commandline -opc)
    test "$words[2]" = proxy; and test "$words[-1]" = --
end

function __symbols_servers
    set -l words (commandline -opc)
    $words[1] completions --servers 2>/dev/null
end

)fish";

std::string fish_quoted(std::string_view text) {
  return '\'' + with_backslashes(text, "'\\") + '\'';
}

// The options of `complete` for the value of an option, and for what a command takes besides options.
constexpr ValueForms fish_values = {.none = " -x",
                                    .words = " -x -a '{}'",
                                    .list = " -x -a '(__fish_append , {})'",
                                    .files = " -r -F",
                                    .folders = " -x -a '(__fish_complete_directories)'",
                                    .servers = " -x -a '(__symbols_servers)'",
                                    .programs = " -r -F"};

constexpr ValueForms fish_arguments = {.none = " -f",
                                       .words = fish_values.words,
                                       .list = " -f",
                                       .files = "",
                                       .folders = fish_values.folders,
                                       .servers = " -f",
                                       .programs = " -f"};

std::string fish_option(const std::string& start, const CompletedOption& option) {
  std::string line = start;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.type.empty()) line += option.value.in(fish_values);
  return line + " -d " + fish_quoted(first_line(option.description)) + '\n';
}

}  // namespace

std::string fish_completion(const CLI::App& program) {
  const std::vector<const CLI::App*> commands = completed_commands(program);
  std::vector<std::string> names;
  for (const CLI::App* const command : commands) names.push_back(command->get_name());
  std::string script = fish_start + fmt::format("set -g __symbols_commands {}\n\n", fmt::join(names, " "));
  for (const CLI::App* const command : commands) {
    script += fmt::format("complete -c symbols -n __symbols_is_first -a {} -d {}\n", command->get_name(),
                          fish_quoted(first_line(command->get_description())));
  }
  script += "complete -c symbols -n __symbols_is_server -x -a '(__fish_complete_command)'\n";
  for (const CompletedOption& option : completed_options(program))
    script += fish_option("complete -c symbols -n '__symbols_in \"\"'", option);
  for (const CLI::App* const command : commands) {
    const std::string start = "complete -c symbols -n '__symbols_in " + command->get_name() + '\'';
    const std::string argument = completed_argument(*command).in(fish_arguments);
    if (!argument.empty()) script += start + argument + '\n';
    for (const CompletedOption& option : completed_options(*command)) script += fish_option(start, option);
  }
  return script;
}

}  // namespace symbols::cli
