#include "proxy/servers/cmake_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace symbols::servers {
namespace {

using std::string_view;

// With its variables replaced. Without a limit a file could double a variable in each line.
constexpr std::size_t max_argument = 1000;

// Removes whitespace and comments from the start.
void skip_blanks(string_view& text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n;"), text.size()));
    if (!text.starts_with('#')) return;
    text.remove_prefix(std::min(text.starts_with("#[[") ? text.find("]]") : text.find('\n'), text.size()));
    if (text.starts_with("]]")) text.remove_prefix(2);
  }
}

// Takes one argument from the start of `text`, which begins with it. None: it does not end.
std::optional<std::string> take_argument(string_view& text) {
  if (text.starts_with("[[")) {
    const std::size_t end = text.find("]]");
    if (end == text.npos) return {};
    const string_view inside = text.substr(2, end - 2);
    text.remove_prefix(end + 2);
    return std::string(inside);
  }
  const bool is_quoted = text.starts_with('"');
  std::string argument;
  for (std::size_t i = is_quoted ? 1 : 0; i < text.size(); ++i) {
    const bool ends =
        is_quoted ? text[i] == '"' : string_view(" \t\r\n;()#").find(text[i]) != string_view::npos;
    if (ends) {
      text.remove_prefix(i + (is_quoted ? 1 : 0));
      return argument;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    argument += text[i];
  }
  return {};
}

// Takes the arguments and the `)` at their end, with the parentheses among them as arguments.
std::optional<std::vector<std::string>> take_arguments(string_view& text) {
  std::vector<std::string> arguments;
  for (std::size_t depth = 1;;) {
    skip_blanks(text);
    if (text.empty()) return {};
    if (text.front() != '(' && text.front() != ')') {
      std::optional<std::string> argument = take_argument(text);
      if (!argument) return {};
      arguments.push_back(std::move(*argument));
      continue;
    }
    const char parenthesis = text.front();
    text.remove_prefix(1);
    depth = parenthesis == '(' ? depth + 1 : depth - 1;
    if (depth == 0) return arguments;
    arguments.emplace_back(1, parenthesis);
  }
}

bool is_any_of(string_view word, std::initializer_list<string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::vector<CmakeCommand> cmake_commands(string_view text) {
  std::vector<CmakeCommand> commands;
  for (;;) {
    skip_blanks(text);
    const auto end = std::ranges::find_if_not(text, is_word);
    CmakeCommand command{.name = in_lower_case({text.begin(), end})};
    text.remove_prefix(command.name.size());
    skip_blanks(text);
    if (command.name.empty() || !text.starts_with('(')) return commands;
    text.remove_prefix(1);
    std::optional<std::vector<std::string>> arguments = take_arguments(text);
    if (!arguments) return commands;
    command.arguments = std::move(*arguments);
    commands.push_back(std::move(command));
  }
}

void CmakeReader::read(string_view text, const OnCommand& on_command) {
  struct Block {
    Truth around = Truth::yes;  // whether what it stands in runs
    Truth runs = Truth::yes;    // whether what is in it does
    Truth taken = Truth::no;    // whether an earlier branch was taken
  };
  std::vector<Block> blocks;
  const auto now = [&] { return blocks.empty() ? Truth::yes : blocks.back().runs; };
  const auto enter_branch = [](Block& block, Truth condition) {
    const Truth left = block.taken == Truth::yes     ? Truth::no
                       : block.taken == Truth::maybe ? Truth::maybe
                                                     : Truth::yes;
    block.runs = std::min({block.around, left, condition});
    block.taken = std::max(block.taken, condition);
  };
  for (CmakeCommand& command : cmake_commands(text)) {
    const std::string& name = command.name;
    if (name == "if") {
      const Truth around = now();
      enter_branch(blocks.emplace_back(Block{.around = around}), truth(command.arguments));
    } else if (is_any_of(name, {"function", "macro", "foreach", "while"})) {
      blocks.push_back({.runs = std::min(now(), Truth::maybe)});
    } else if (blocks.empty() || !is_any_of(name, {"elseif", "else", "endif", "endfunction", "endmacro",
                                                   "endforeach", "endwhile"})) {
      const Truth runs = now();
      if (runs == Truth::no) continue;
      command.arguments = expanded(command.arguments);
      const bool sets = name == "set" || (name == "option" && !command.arguments.empty());
      if (sets && command.arguments.size() > 1)
        variables_[command.arguments.front()] =
            command.arguments[name == "set" ? 1 : command.arguments.size() - 1];
      on_command(command, runs == Truth::yes);
    } else if (name == "elseif") {
      enter_branch(blocks.back(), truth(command.arguments));
    } else if (name == "else") {
      enter_branch(blocks.back(), Truth::yes);
    } else {
      blocks.pop_back();
    }
  }
}

std::string CmakeReader::variable(const std::string& name) const {
  const auto known = variables_.find(name);
  return known == variables_.end() ? std::string() : known->second;
}

// Only words, NOT and AND: with anything else it may be either.
CmakeReader::Truth CmakeReader::truth(const std::vector<std::string>& condition) const {
  Truth all = Truth::yes;
  bool is_negated = false;
  for (const std::string& word : condition) {
    if (word == "AND") continue;
    if (word == "NOT") {
      is_negated = !is_negated;
      continue;
    }
    if (is_any_of(word, {"OR", "(", ")", "STREQUAL", "MATCHES", "EQUAL", "LESS", "GREATER", "VERSION_LESS",
                         "VERSION_GREATER", "VERSION_GREATER_EQUAL", "DEFINED", "TARGET", "EXISTS", "COMMAND",
                         "POLICY", "IN_LIST"}))
      return Truth::maybe;
    Truth one = truth(word);
    if (std::exchange(is_negated, false))
      one = one == Truth::maybe ? one : one == Truth::yes ? Truth::no : Truth::yes;
    all = std::min(all, one);
  }
  return condition.empty() ? Truth::maybe : all;
}

CmakeReader::Truth CmakeReader::truth(const std::string& word) const {
  if (is_any_of(word, {"WIN32", "MSVC", "MINGW", "MSYS", "CYGWIN", "BORLAND", "ANDROID", "IOS", "EMSCRIPTEN",
                       "XCODE"}))
    return Truth::no;
#ifdef __APPLE__
  if (is_any_of(word, {"UNIX", "APPLE"})) return Truth::yes;
#else
  if (word == "APPLE") return Truth::no;
  if (word == "UNIX") return Truth::yes;
#endif
  const auto known = variables_.find(word);
  const std::string value = in_lower_case(known == variables_.end() ? word : known->second);
  if (is_any_of(value, {"on", "true", "yes", "1"})) return Truth::yes;
  if (is_any_of(value, {"off", "false", "no", "0"})) return Truth::no;
  return Truth::maybe;
}

std::vector<std::string> CmakeReader::expanded(const std::vector<std::string>& arguments) const {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    std::string text;
    bool is_known = true;
    string_view rest = argument;
    for (std::size_t start = rest.find("${"); start != rest.npos && is_known; start = rest.find("${")) {
      const std::size_t end = rest.find('}', start);
      const auto variable = end == rest.npos
                                ? variables_.end()
                                : variables_.find(std::string(rest.substr(start + 2, end - start - 2)));
      is_known = variable != variables_.end();
      if (!is_known || text.size() > max_argument) break;
      text.append(rest.substr(0, start)).append(variable->second);
      rest.remove_prefix(end + 1);
    }
    if (is_known && text.append(rest).size() <= max_argument) result.push_back(std::move(text));
  }
  return result;
}

}  // namespace symbols::servers
