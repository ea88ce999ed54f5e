#include "proxy/servers/command_line_words.h"

#include <fmt/format.h>

#include <utility>

#include "lsp/json/json_document.h"

namespace symbols::servers {
namespace {

Error unbalanced(std::string_view text, std::string_view what, std::string_view advice) {
  return {fmt::format("cannot read the command line {}: {}", text, what), std::string(advice)};
}

}  // namespace

Result<std::vector<std::string>> split_command_line(std::string_view text) {
  std::vector<std::string> parts;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == '\0' && is_blank) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      parts.emplace_back();  // also for "", which is a word
      in_word = true;
    }
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote == '\0') {
      if (++i == text.size())
        return unbalanced(text, "it ends in a backslash", "write \\\\ for the backslash itself");
      parts.back() += text[i];
    } else if (c == '\\' && quote == '"' && i + 1 < text.size() &&
               (text[i + 1] == '"' || text[i + 1] == '\\')) {
      parts.back() += text[++i];
    } else {
      parts.back() += c;
    }
  }
  if (quote != '\0') {
    return unbalanced(text, fmt::format("a {} is not closed", quote),
                      fmt::format("close it, or write \\{} for the mark itself", quote));
  }
  if (parts.empty() || parts.front().empty())
    return unbalanced(text.empty() ? "''" : text, "it names no program", "give a known server or a program");
  return parts;
}

std::vector<std::string> words_of_entry(const rapidjson::Value& entry) {
  const rapidjson::Value* arguments = lsp::member(entry, "arguments");
  if (arguments == nullptr || !arguments->IsArray()) {
    Result<std::vector<std::string>> words = split_command_line(lsp::text_member(entry, "command"));
    return words ? std::move(*words) : std::vector<std::string>{};
  }
  std::vector<std::string> words;
  for (const rapidjson::Value& word : arguments->GetArray()) {
    if (word.IsString()) words.push_back(lsp::text_of(word));
  }
  return words;
}

}  // namespace symbols::servers
