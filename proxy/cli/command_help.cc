#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "proxy/cli/command_line.h"

namespace symbols::cli {
namespace {

using options::Option;

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width = 24;  // of options and commands, with the indent before and the gap behind
constexpr std::ptrdiff_t many_options = 12;
constexpr std::size_t brief_examples = 4;

// `text` in lines of at most `width` characters, each but the first after `indent` spaces.
std::string wrapped(std::string text, std::size_t width, std::size_t indent) {
  std::ranges::replace(text, '\n', ' ');
  std::string lines;
  std::size_t column = 0;
  for (const std::string_view word : split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = 0;
    }
    lines.append(column > 0 ? " " : "").append(word);
    column += word.size() + (column > 0 ? 1 : 0);
  }
  return lines;
}

std::string entry(std::string name, std::string_view text, HelpLength length) {
  // A name that is too long has a line of its own.
  name += name.size() + 4 > name_width ? '\n' + std::string(name_width, ' ')
                                       : std::string(name_width - name.size() - 2, ' ');
  return "  " + name +
         wrapped(length == HelpLength::brief ? first_line(text) : std::string(text), line_width - name_width,
                 name_width) +
         '\n';
}

// Options with a letter, except --null, and a few others.
bool is_common(const Option& option) {
  return (option.letter != 0 && option.name != "null") || option.name == "help" ||
         option.name == "verbosity" || option.name == "answer";
}

std::string option_entry(const Option& option, HelpLength length) {
  std::string name = option.letter == 0 ? "   " : std::string{'-', option.letter};
  if (!option.name.empty()) name += (option.letter == 0 ? "" : ",") + option.flag();
  if (!option.type.empty()) name += ' ' + std::string(option.type);
  return entry(std::move(name), option.help, length);
}

// The brief list has only the common ones, where all are more than fit a screen.
std::string option_list(const Command& command, HelpLength length) {
  const auto is_shown = [&](const Option& one) { return one.is_for(command.taker) && !one.help.empty(); };
  const bool all =
      length == HelpLength::full || std::ranges::count_if(options::all_options(), is_shown) <= many_options;
  std::string text = "\nOptions:\n";
  for (const Option& option : options::all_options()) {
    if (is_shown(option) && (all || is_common(option))) text += option_entry(option, length);
  }
  return text;
}

// The first examples of a footer, and the paragraphs behind them.
std::string brief_footer(std::string_view footer) {
  std::string text;
  std::size_t lines = 0;
  bool is_behind = false;
  footer.remove_prefix(std::min(footer.find("Examples:\n"), footer.size()));
  for (const std::string_view line : split(footer, '\n')) {
    is_behind = is_behind || line.empty();
    if (is_behind || lines++ <= brief_examples) text.append(line) += '\n';
  }
  return text;
}

}  // namespace

std::string help_text(const Command& command, HelpLength length) {
  const std::string name = command.name.empty() ? "symbols" : fmt::format("symbols {}", command.name);
  std::string text = wrapped(std::string(command.summary), line_width, 0) + '\n';
  std::string_view start = "Usage: ";
  for (const std::string_view usage : split(command.usage, '\n'))
    text += fmt::format("{:7}{} {}\n", std::exchange(start, ""), name, usage);
  if (length == HelpLength::full && !command.arguments.empty()) {
    text += "\nArguments:\n";
    for (std::string_view argument : split(command.arguments, '\n')) {
      const std::string argument_name(take_part(argument, '\t'));
      text += entry(argument_name, argument, length);
    }
  }
  text += option_list(command, length);
  if (command.taker == options::takers::dump) {
    text += "\nSubcommands:\n";
    for (const Command& one : all_commands()) text += entry(std::string(one.name), one.summary, length);
  }
  const std::string_view footer = command.footer.substr(1);  // it begins with a newline
  return text + '\n' + (length == HelpLength::brief ? brief_footer(footer) : std::string(footer) + '\n');
}

std::string first_line(std::string_view description) {
  std::string line(description.substr(0, description.find('\n')));
  if (line.ends_with(',') || line.ends_with(':') || line.ends_with(';')) line.pop_back();
  return line;
}

}  // namespace symbols::cli
