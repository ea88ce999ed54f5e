#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/split.h"
#include "proxy/cli/command_help.h"
#include "proxy/cli/completion.h"
#include "proxy/settings/version.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr std::string_view status_label = "Exit status: ";

// Marks that roff would read as its own. A hyphen is a minus, so that options can be copied.
constexpr auto roff_marks = std::to_array<std::pair<char, std::string_view>>({{'\\', "\\e"},
                                                                              {'-', "\\-"},
                                                                              {'\'', "\\(aq"},
                                                                              {'`', "\\(ga"},
                                                                              {'^', "\\(ha"},
                                                                              {'~', "\\(ti"},
                                                                              {'\n', " "}});

// `text` without them.
std::string roff_escaped(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    const auto* const mark = std::ranges::find(roff_marks, c, &std::pair<char, std::string_view>::first);
    plain += mark == roff_marks.end() ? std::string_view(&c, 1) : mark->second;
  }
  if (plain.starts_with('.')) plain.insert(0, "\\&");
  return plain;
}

std::string manual_section(std::string_view title, std::string_view text) {
  return text.empty() ? std::string() : fmt::format(".SH {}\n{}", title, text);
}

std::string page_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? "symbols" : "symbols-" + command.get_name();
}

// Lines that stay as they are.
std::string as_it_is(std::string_view lines) {
  std::string text = ".nf\n";
  for (const std::string_view line : split(lines, '\n')) text += roff_escaped(line) + '\n';
  return text + ".fi\n";
}

// One with a name before it, as of an option.
std::string manual_item(std::string_view name, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", name, text.empty() ? std::string("\\&") : roff_escaped(text));
}

std::string manual_options(const CLI::App& command) {
  std::string items;
  for (const CLI::Option* const option : command.get_options()) {
    if (option->nonpositional() || option->get_description().empty()) continue;
    items += manual_item(fmt::format("\\fI{}\\fR", roff_escaped(option->get_name(true, true))),
                         option->get_description());
  }
  for (const CompletedOption& option : completed_options(command)) {
    std::string names;
    for (const std::string& name : option.names) {
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff_escaped(name));
    }
    if (!option.type.empty()) names += fmt::format(" \\fI{}\\fR", roff_escaped(option.type));
    items += manual_item(names, option.description);
  }
  return items;
}

std::string manual_commands(const CLI::App& program) {
  std::string items;
  for (const CLI::App* const command : completed_commands(program)) {
    items +=
        manual_item(fmt::format("\\fBsymbols\\-{}\\fR(1)", command->get_name()), command->get_description());
  }
  return items;
}

// What a footer has: paragraphs, among them examples and the exit statuses.
struct FooterParts {
  std::string text;
  std::string examples;
  std::string statuses;
};

FooterParts footer_parts(std::string_view footer) {
  FooterParts parts;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find("\n\n"), footer.size());
    std::string_view paragraph = footer.substr(0, end);
    footer.remove_prefix(std::min(end + 2, footer.size()));
    while (paragraph.starts_with('\n')) paragraph.remove_prefix(1);
    if (const std::size_t at = paragraph.find(status_label); at != paragraph.npos) {
      parts.statuses = roff_escaped(paragraph.substr(at + status_label.size())) + '\n';
      paragraph = paragraph.substr(0, at);
    }
    if (paragraph.starts_with("Examples:\n")) {
      parts.examples += as_it_is(paragraph.substr(paragraph.find('\n') + 1));
    } else if (paragraph.starts_with("  ")) {
      parts.text += ".PP\n" + as_it_is(paragraph);
    } else if (!paragraph.empty()) {
      parts.text += ".PP\n" + roff_escaped(paragraph) + '\n';
    }
  }
  return parts;
}

}  // namespace

std::string manual_page(const CLI::App& command) {
  const bool is_program = command.get_parent() == nullptr;
  const CLI::App& program = is_program ? command : *command.get_parent();
  const std::string name = page_name(command);
  std::string title = name;
  std::ranges::transform(title, title.begin(), upper_case);
  const FooterParts footer = footer_parts(command.get_footer());

  std::string also;
  for (const CLI::App* const other : completed_commands(program)) {
    if (other == &command) continue;
    also += fmt::format("{}\\fBsymbols\\-{}\\fR(1)", also.empty() ? "" : ",\n", other->get_name());
  }
  if (!is_program) also.insert(0, "\\fBsymbols\\fR(1),\n");

  std::string summary = first_line(command.get_description());
  if (summary.ends_with('.')) summary.pop_back();
  // The date is left empty: a page is the same whenever it is made.
  return fmt::format(".TH {} 1 \"\" \"symbols {}\" \"User Commands\"\n", roff_escaped(title),
                     settings::program_version()) +
         manual_section("NAME", fmt::format("{} \\- {}\n", roff_escaped(name), roff_escaped(summary))) +
         manual_section("SYNOPSIS", as_it_is(usage_lines(command))) +
         manual_section("DESCRIPTION", roff_escaped(command.get_description()) + '\n' + footer.text) +
         manual_section("OPTIONS", manual_options(command)) +
         manual_section("COMMANDS", is_program ? manual_commands(program) : std::string()) +
         manual_section("EXIT STATUS", footer.statuses) + manual_section("EXAMPLES", footer.examples) +
         manual_section("SEE ALSO", also + '\n');
}

Result<void> write_manual_pages(const CLI::App& program, const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  std::vector<const CLI::App*> commands = completed_commands(program);
  commands.push_back(&program);
  for (const CLI::App* const command : commands) {
    const std::filesystem::path file = folder / (page_name(*command) + ".1");
    std::ofstream page(file, std::ios::binary);
    if (!(page << manual_page(*command)).flush())
      return Error{fmt::format("cannot write {}", table::quoted(file.string())),
                   "give a folder that you can write to"};
  }
  return {};
}

}  // namespace symbols::cli
