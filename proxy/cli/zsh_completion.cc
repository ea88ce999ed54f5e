#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/cli/completion.h"

namespace symbols::cli {
namespace {

// The name of the command is the second word; for `--warm context` the third.
constexpr const char* zsh_start = R"zsh(#compdef symbols
# Completion of symbols for zsh, made by: symbols completions zsh

_symbols_servers() {
  local -a names
  names=(${(f)"$(_call_program servers ${(q)symbols_program} completions --servers 2>/dev/null)"})
  compadd -a names
}

_symbols() {
  local symbols_program=$words[1]
  if (( CURRENT > 3 )) && [[ $words[2] == (-w|--warm) && $words[3] == context ]]; then
    shift words
    (( CURRENT-- ))
  fi
  if (( CURRENT > 2 && $+functions[_symbols_command_$words[2]] )); then
    shift words
    (( CURRENT-- ))
    _symbols_command_$words[1]
  else
    _symbols_files
  fi
}
)zsh";
// Read by `source` or found in $fpath.
constexpr const char* zsh_end = R"zsh(
if [[ $funcstack[1] == _symbols ]]; then
  _symbols "$@"
else
  compdef _symbols symbols
fi
)zsh";

// `text` between single quotes.
std::string zsh_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + '\'';
}

// What `_arguments` calls for such a value.
constexpr ValueForms zsh_actions = {.none = " ",
                                    .words = "({})",
                                    .list = "_sequence compadd - {}",
                                    .files = "_files",
                                    .folders = "_files -/",
                                    .servers = "_symbols_servers",
                                    .programs = "_normal"};

// The specifications of options: the names of one exclude each other, but where it may be given several
// times.
std::string zsh_options(const CLI::App& command) {
  std::string lines;
  for (const CompletedOption& option : completed_options(command)) {
    const std::string text = with_backslashes(first_line(option.description), "[]:\\");
    std::string value;
    if (!option.type.empty()) {
      std::string type = option.type;
      std::ranges::replace(type, ':', '-');
      value = fmt::format(":{}:{}", type, option.value.in(zsh_actions));
    }
    for (const std::string& name : option.names) {
      const std::string_view mark = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
      lines += fmt::format(
          "    {} \\\n",
          zsh_quoted(fmt::format("({}){}{}[{}]{}", fmt::join(option.names, " "), name, mark, text, value)));
    }
  }
  return lines;
}

std::string zsh_arguments(const CLI::App& command) {
  const CompletedValue value = completed_argument(command);
  if (value.kind == &ValueForms::none) return {};
  if (value.kind == &ValueForms::programs)
    return "    '(-)1:server: _command_names -e' '*::argument: _normal'";
  return "    " + zsh_quoted("*:argument:" + value.in(zsh_actions));
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  std::string script = zsh_start;
  std::string commands;
  for (const CLI::App* const command : completed_commands(program)) {
    script += fmt::format("\n_symbols_command_{}() {{\n  _arguments -s -S : \\\n{}{}\n}}\n",
                          command->get_name(), zsh_options(*command), zsh_arguments(*command));
    commands += fmt::format("    {}\n", zsh_quoted(fmt::format("{}:{}", command->get_name(),
                                                               first_line(command->get_description()))));
  }
  script += fmt::format(
      "\n_symbols_first() {{\n  local -a commands=(\n{}  )\n  _describe -t commands command commands\n  "
      "_files\n}}\n",
      commands);
  script += fmt::format(
      "\n_symbols_files() {{\n  _arguments -s -S : \\\n{}    '1:file or command:_symbols_first' "
      "'*:file:_files'\n}}\n",
      zsh_options(program));
  return script + zsh_end;
}

}  // namespace symbols::cli
