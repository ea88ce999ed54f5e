#include "proxy/cli/command_help.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "proxy/cli/completion.h"

namespace symbols::cli {
namespace {

constexpr const char* more_options = "More options";
constexpr std::size_t many_options = 12;
// Beside those with a letter, but for one.
constexpr std::array<std::string_view, 3> common_without_letter = {"--help", "--verbosity", "--answer"};
constexpr std::string_view uncommon = "-0,--null";

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width = 24;  // of options and commands, with the indent before and the gap behind
constexpr std::size_t brief_examples = 5;

constexpr auto usages = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"context",
     "[OPTIONS] FILE:LINE[:COLUMN]\n"
     "symbols context [OPTIONS] FILE NAME\n"
     "symbols context [OPTIONS] NAME"},
    {"proxy", "[OPTIONS] -- SERVER [ARGUMENT...]"},
    {"convert", "--from FORMAT --to FORMAT [OPTIONS] [FILE]"},
    {"index", "[DIR] [OPTIONS]"},
    {"find", "QUERY... [OPTIONS]"},
    {"map", "[DIR] [OPTIONS]"},
    {"mcp", "[OPTIONS]"},
    {"servers", "[OPTIONS]"},
    {"config", "[PATH] [OPTIONS]"},
    {"doctor", "[DIR] [OPTIONS]"},
    {"setup", "[NAME] [--write] [OPTIONS]"},
    {"warm", "[--stop]"},
    {"completions", "SHELL"},
});

// `text` in lines of at most `width` characters, each but the first after `indent` spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = 0;
    }
    if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string entry(const std::string& name, std::string_view text) {
  std::string line = "  " + name;
  // A name that is too long has a line of its own.
  if (line.size() + 2 > name_width) line += '\n';
  const std::size_t begun = line.ends_with('\n') ? 0 : line.size();
  line.append(name_width - begun, ' ');
  return line + wrapped(text, line_width - name_width, name_width) + '\n';
}

// The first examples of a footer, and the paragraphs behind them.
std::string brief_footer(std::string_view footer) {
  const std::size_t start = footer.find("Examples:\n");
  if (start == footer.npos) return std::string(footer);
  footer.remove_prefix(start);
  std::size_t end = 0;
  for (std::size_t lines = 0; lines <= brief_examples && end < footer.size(); ++lines) {
    end = std::min(footer.find('\n', end), footer.size() - 1) + 1;
    if (footer.substr(end).starts_with('\n')) break;
  }
  std::string text(footer.substr(0, end));
  if (const std::size_t behind = footer.find("\n\n"); behind != footer.npos) {
    text += (text.ends_with('\n') ? "" : "\n") + std::string(footer.substr(behind + 1));
  }
  return text;
}

// The ways to call `command`, one a line: "symbols find QUERY [OPTIONS]".
std::string usage_lines(const CLI::App& command) {
  if (command.get_parent() == nullptr) {
    return "symbols [OPTIONS] PATH...\n"
           "symbols FILE:LINE[:COLUMN]\n"
           "symbols COMMAND [OPTIONS] ...";
  }
  const auto* const usage =
      std::ranges::find(usages, command.get_name(), &decltype(usages)::value_type::first);
  return "symbols " + command.get_name() + ' ' +
         std::string(usage == usages.end() ? "[OPTIONS]" : usage->second);
}

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(HelpLength length) : brief_(length == HelpLength::brief) {
    label("Positionals", "Arguments");
  }

  std::string make_usage(const CLI::App* app, std::string) const override {
    std::string usage = usage_lines(*app);
    for (std::size_t end = 0; (end = usage.find('\n', end)) != usage.npos; end += 8)
      usage.insert(end + 1, 7, ' ');
    return "Usage: " + usage + '\n';
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), line_width, 0) + '\n';
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    // The usage names the arguments.
    return brief_ && (is_positional || group == more_options)
               ? std::string()
               : Formatter::make_group(std::move(group), is_positional, options);
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    if (const std::size_t value = name.find("{false}"); value != name.npos) name.erase(value, 7);
    if (!is_positional && name.starts_with("--")) name.insert(0, 3, ' ');
    return entry(name, described(option->get_description()));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), described(command->get_description()));
  }

  std::string make_footer(const CLI::App* app) const override {
    std::string footer = app->get_footer();
    while (footer.starts_with('\n')) footer.erase(0, 1);
    if (brief_) footer = brief_footer(footer);
    return footer + '\n';
  }

 private:
  std::string described(const std::string& description) const {
    if (!brief_) return description;
    return first_line(description);
  }

  bool brief_;
};

}  // namespace

std::string help_text(const CLI::App& command, HelpLength length) {
  std::string text = HelpFormatter(length).make_help(&command, {}, CLI::AppFormatMode::Normal);
  for (std::size_t gap = 0; (gap = text.find("\n\n\n", gap)) != text.npos;) text.erase(gap, 1);
  return text;
}

void group_options(CLI::App& command) {
  const std::vector<CLI::Option*> options =
      command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
  if (options.size() <= many_options) return;
  for (CLI::Option* const option : options) {
    const std::string name = option->get_name(false, true);
    const bool is_common = (!option->get_snames().empty() && name != uncommon) ||
                           std::ranges::count(common_without_letter, name) > 0;
    if (!is_common && !option->get_group().empty()) option->group(more_options);
  }
}

}  // namespace symbols::cli
