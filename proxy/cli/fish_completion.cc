#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/cli/completion_script.h"
#include "proxy/cli/completion_values.h"

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
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '\'';
}

// The options of `complete` for such a value.
std::string fish_value(const CompletionValues& values) {
  using enum CompletionValues::Kind;
  switch (values.kind) {
    case none:
      return " -x";
    case words:
      return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(values.words, " "))));
    case list:
      return fmt::format(" -x -a '(__fish_append , {})'", fmt::join(values.words, " "));
    case files:
    case programs:
      return " -r -F";
    case folders:
      return " -x -a '(__fish_complete_directories)'";
    case servers:
      return " -x -a '(__symbols_servers)'";
  }
  return {};
}

std::string fish_option(const std::string& condition, const CLI::App& command, const CLI::Option& option) {
  std::string line = "complete -c symbols" + condition;
  for (const std::string& name : option_names(option)) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (takes_value(option)) line += fish_value(completion_values(command, option));
  return line + " -d " + fish_quoted(first_line(option.get_description())) + '\n';
}

// What `symbols COMMAND` takes besides options.
std::string fish_arguments(const std::string& condition, const CLI::App& command) {
  const CompletionValues values = argument_values(command);
  const std::string start = "complete -c symbols" + condition;
  switch (values.kind) {
    using enum CompletionValues::Kind;
    case files:
      return {};
    case words:
    case folders:
      return start + fish_value(values) + '\n';
    default:
      return start + " -f\n";
  }
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
  const auto add = [&script](const std::string& condition, const CLI::App& command) {
    for (const CLI::Option* const option : completed_options(command))
      script += fish_option(condition, command, *option);
  };
  add(" -n '__symbols_in \"\"'", program);
  for (const CLI::App* const command : commands) {
    const std::string condition = " -n '__symbols_in " + command->get_name() + '\'';
    script += fish_arguments(condition, *command);
    add(condition, *command);
  }
  return script;
}

}  // namespace symbols::cli
