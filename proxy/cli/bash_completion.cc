#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/cli/completion.h"

namespace symbols::cli {
namespace {

// `$command` is empty for the program itself, `$cur` what is typed of the word, `$previous` the word before:
// the option in `--format=tr`, which is three words to bash.
constexpr const char* bash_start = R"bash(# Completion of symbols for bash, made by: symbols completions bash

_symbols_words() {
  compopt +o default
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

_symbols_list() {
  local head=''
  if [[ $cur == *,* ]]; then head=${cur%,*},; fi
  compopt +o default -o nospace
  mapfile -t COMPREPLY < <(compgen -P "$head" -W "$*" -- "${cur##*,}")
}

_symbols_folders() {
  compopt +o default -o filenames
  mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_symbols_servers() {
  _symbols_words "$("${COMP_WORDS[0]}" completions --servers 2>/dev/null)"
}

_symbols_programs() {
  compopt -o filenames
  if [[ $previous == -- ]]; then mapfile -t COMPREPLY < <(compgen -c -- "$cur"); fi
}

_symbols() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $previous == = ]] && ((COMP_CWORD > 2)); then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)bash";

// After `--` no word is an option.
constexpr const char* bash_dashes = R"bash(  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == -- ]]; then
      if [[ $command == proxy ]]; then _symbols_programs; fi
      return
    fi
  done
)bash";

constexpr const char* bash_end = R"bash(}

complete -o default -F _symbols symbols
)bash";

// The call that completes such a value; empty: the shell's own, of files.
constexpr ValueForms bash_calls = {.none = "compopt +o default",
                                   .words = "_symbols_words {}",
                                   .list = "_symbols_list {}",
                                   .files = "",
                                   .folders = "_symbols_folders",
                                   .servers = "_symbols_servers",
                                   .programs = ""};

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<const CLI::App*> commands = completed_commands(program);
  std::vector<std::string> names;
  for (const CLI::App* const command : commands) names.push_back(command->get_name());
  commands.insert(commands.begin(), &program);

  std::string values;
  std::string options;
  std::string arguments;
  for (const CLI::App* const command : commands) {
    const std::string name = command == &program ? std::string() : command->get_name();
    std::vector<std::string> offered;
    for (CompletedOption& option : completed_options(*command)) {
      offered.insert(offered.end(), option.names.begin(), option.names.end());
      if (option.type.empty()) continue;
      for (std::string& one : option.names) one.insert(0, name + ':');
      const std::string call = option.value.in(bash_calls);
      values += fmt::format("    {})\n{}      return\n      ;;\n", fmt::join(option.names, " | "),
                            call.empty() ? call : "      " + call + '\n');
    }
    options += fmt::format("      '{}') _symbols_words {} ;;\n", name, fmt::join(offered, " "));
    const std::string call =
        command == &program ? std::string() : completed_argument(*command).in(bash_calls);
    if (!call.empty()) arguments += fmt::format("    {}) {} ;;\n", name, call);
  }
  return fmt::format(
      "{}  case ${{COMP_WORDS[1]}} in\n    {})\n      if ((COMP_CWORD > 1)); then "
      "command=${{COMP_WORDS[1]}}; fi\n"
      "      ;;\n    -w | --warm)\n"
      "      if [[ ${{COMP_WORDS[2]}} == context ]] && ((COMP_CWORD > 2)); then command=context; fi\n"
      "      ;;\n  esac\n{}  case $command:$previous in\n{}  esac\n"
      "  if [[ $cur == -* ]]; then\n    case $command in\n{}    esac\n    return\n  fi\n"
      "  case $command in\n{}    '')\n"
      "      compopt -o filenames\n"
      "      if ((COMP_CWORD == 1)); then mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\"; compgen -f "
      "-- \"$cur\"); fi\n"
      "      ;;\n  esac\n{}",
      bash_start, fmt::join(names, " | "), bash_dashes, values, options, arguments, fmt::join(names, " "),
      bash_end);
}

}  // namespace symbols::cli
