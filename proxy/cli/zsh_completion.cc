#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/cli/completion_script.h"
#include "proxy/cli/completion_values.h"

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

// `text` where `_arguments` or `_describe` would take a mark in it for its own.
std::string zsh_escaped(std::string_view text, std::string_view marks) {
  std::string plain;
  for (const char c : text) {
    if (marks.find(c) != marks.npos) plain += '\\';
    plain += c;
  }
  return plain;
}

// What `_arguments` calls for such a value.
std::string zsh_action(const CompletionValues& values) {
  using enum CompletionValues::Kind;
  switch (values.kind) {
    case none:
      return " ";
    case words:
      return fmt::format("({})", fmt::join(values.words, " "));
    case list:
      return fmt::format("_sequence compadd - {}", fmt::join(values.words, " "));
    case files:
      return "_files";
    case folders:
      return "_files -/";
    case servers:
      return "_symbols_servers";
    case programs:
      return "_normal";
  }
  return {};
}

// The specification of an option: its names exclude each other, but where it may be given several times.
std::string zsh_option(const CLI::App& command, const CLI::Option& option) {
  const std::vector<std::string> names = option_names(option);
  const std::string text = fmt::format("[{}]", zsh_escaped(first_line(option.get_description()), "[]:\\"));
  std::string value;
  if (takes_value(option)) {
    std::string type = option.get_type_name();
    std::ranges::replace(type, ':', '-');
    value = fmt::format(":{}:{}", type, zsh_action(completion_values(command, option)));
  }
  std::string lines;
  for (const std::string& name : names) {
    const std::string_view mark = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    lines +=
        fmt::format("    {} \\\n",
                    zsh_quoted(fmt::format("({}){}{}{}{}", fmt::join(names, " "), name, mark, text, value)));
  }
  return lines;
}

std::string zsh_arguments(const CLI::App& command) {
  const CompletionValues values = argument_values(command);
  if (values.kind == CompletionValues::Kind::none) return {};
  if (values.kind == CompletionValues::Kind::programs)
    return "    '(-)1:server: _command_names -e' '*::argument: _normal'";
  return "    " + zsh_quoted("*:argument:" + zsh_action(values));
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  std::string script = zsh_start;
  std::string commands;
  const auto options_of = [](const CLI::App& command) {
    std::string lines;
    for (const CLI::Option* const option : completed_options(command)) lines += zsh_option(command, *option);
    return lines;
  };
  for (const CLI::App* const command : completed_commands(program)) {
    script += fmt::format("\n_symbols_command_{}() {{\n  _arguments -s -S : \\\n{}{}\n}}\n",
                          command->get_name(), options_of(*command), zsh_arguments(*command));
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
      options_of(program));
  return script + zsh_end;
}

}  // namespace symbols::cli
