// Command lines (proxy/servers/server_command_line.h): words that are quoted are split as they
// were, and any text gives words or an error.
// Covers: proxy/servers/server_command_line.cc
#include <string>
#include <string_view>
#include <vector>

#include "proxy/servers/server_command_line.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::command_line_target {

using Words = std::vector<std::string>;

std::string in_single_quotes(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + '\'';
}

std::string in_double_quotes(std::string_view word) {
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string with_backslashes(std::string_view word) {
  if (word.empty()) return "''";
  std::string quoted;
  for (const char c : word) quoted += {'\\', c};
  return quoted;
}

void check_words(const Words& words) {
  if (words.empty() || words.front().empty()) return;
  for (const auto quoted : {in_single_quotes, in_double_quotes, with_backslashes}) {
    std::string line;
    for (const std::string& word : words) line += quoted(word) + " \t";
    const Result<Words> split = servers::split_command_line(line);
    holds(split.has_value(), "quoted words are a command line");
    holds(*split == words, "quoted words come back");
  }
}

void command_line(std::string_view data) {
  Input input(data);
  if (input.flag()) {
    Words words;
    while (!input.empty()) words.emplace_back(input.text_until('\n'));
    check_words(words);
    return;
  }
  const Result<Words> words = servers::split_command_line(input.rest());
  if (!words) return;
  holds(!words->empty() && !words->front().empty(), "a command line names a program");
  check_words(*words);
}

const Registration registration("command_line", command_line);

}  // namespace symbols::fuzz::command_line_target
