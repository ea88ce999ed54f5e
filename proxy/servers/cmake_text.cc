#include "proxy/servers/cmake_text.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace symbols::servers {
namespace {

using std::string_view;

// With its variables replaced. Without a limit a file could double a variable in each line.
constexpr std::size_t max_argument = 1000;

// The argument that is written so: in quotes, in brackets, or plain. A backslash takes the next character
// literally.
std::string argument_of(string_view written) {
  if (written.starts_with("[[")) return std::string(written.substr(2, written.size() - 4));
  if (written.starts_with('"')) written = written.substr(1, written.size() - 2);
  std::string argument;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 1 < written.size()) ++i;
    argument += written[i];
  }
  return argument;
}

}  // namespace

std::vector<CmakeCommand> cmake_commands(string_view text) {
  // A comment, or, captured, a parenthesis or an argument.
  static const re2::RE2 token(R"re((?s)[\s;]*(?:#\[\[.*?\]\]|#[^\n]*|([()]|"(?:[^"\\]|\\.)*"|\[\[.*?\]\])re"
                              R"re(|(?:[^\s;()#"\\]|\\.)(?:[^\s;()#\\]|\\.)*)))re",
                              re2::RE2::Latin1);
  std::vector<CmakeCommand> commands;
  CmakeCommand command;
  std::size_t depth = 0;
  re2::StringPiece rest(text.data(), text.size());
  for (std::string word; re2::RE2::Consume(&rest, token, &word);) {
    if (word.empty()) continue;
    if (depth == 0 && command.name.empty()) {
      if (!std::ranges::all_of(word, is_word)) break;
      command.name = in_lower_case(word);
    } else if (depth == 0) {
      if (word != "(") break;
      depth = 1;
    } else if (word == ")" && --depth == 0) {
      commands.push_back(std::exchange(command, {}));
    } else {
      if (word == "(") ++depth;
      command.arguments.push_back(argument_of(word));
    }
  }
  return commands;
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
    } else if (is_among(name, "function macro foreach while")) {
      blocks.push_back({.runs = std::min(now(), Truth::maybe)});
    } else if (blocks.empty() ||
               !is_among(name, "elseif else endif endfunction endmacro endforeach endwhile")) {
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
    if (is_among(word,
                 "OR ( ) STREQUAL MATCHES EQUAL LESS GREATER VERSION_LESS VERSION_GREATER "
                 "VERSION_GREATER_EQUAL DEFINED TARGET EXISTS COMMAND POLICY IN_LIST"))
      return Truth::maybe;
    Truth one = truth(word);
    if (std::exchange(is_negated, false))
      one = one == Truth::maybe ? one : one == Truth::yes ? Truth::no : Truth::yes;
    all = std::min(all, one);
  }
  return condition.empty() ? Truth::maybe : all;
}

CmakeReader::Truth CmakeReader::truth(const std::string& word) const {
  if (is_among(word, "WIN32 MSVC MINGW MSYS CYGWIN BORLAND ANDROID IOS EMSCRIPTEN XCODE")) return Truth::no;
#ifdef __APPLE__
  if (is_among(word, "UNIX APPLE")) return Truth::yes;
#else
  if (word == "APPLE") return Truth::no;
  if (word == "UNIX") return Truth::yes;
#endif
  const auto known = variables_.find(word);
  const std::string value = in_lower_case(known == variables_.end() ? word : known->second);
  if (is_among(value, "on true yes 1")) return Truth::yes;
  if (is_among(value, "off false no 0")) return Truth::no;
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
