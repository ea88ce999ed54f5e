#include "table/hover/clangd_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/text.h"

namespace symbols::table {
namespace {

// Words that say nothing by themselves: clangd adds or drops them between a type and its definition.
constexpr std::array<std::string_view, 9> empty_words = {"aka",      "class", "const",    "enum",   "struct",
                                                         "typename", "union", "volatile", "unnamed"};

// Names and numbers in `code`, without qualifiers (`std::`).
std::set<std::string_view> words_of(std::string_view code) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < code.size();) {
    if (!is_word(code[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string_view word = code.substr(i, end - i);
    i = end;
    if (code.substr(end).starts_with("::")) continue;
    if (std::ranges::find(empty_words, word) == empty_words.end()) words.insert(word);
  }
  return words;
}

// A type without the type of its alias: `size_t (aka unsigned long)`.
std::string_view without_alias(std::string_view text) {
  return text.substr(0, text.find(" (aka "));
}

// The position of `word` in `code` as a whole word; npos if it is not there.
std::size_t find_word(std::string_view code, std::string_view word) {
  for (std::size_t i = code.find(word); i < code.size(); i = code.find(word, i + 1)) {
    const std::size_t end = i + word.size();
    if ((i == 0 || !is_word(code[i - 1])) && (end == code.size() || !is_word(code[end]))) return i;
  }
  return std::string_view::npos;
}

}  // namespace

ClangdFacts::ClangdFacts(std::string_view kind, std::string_view name, std::string_view definition)
    : kind_(kind), name_(name), definition_(trim(definition)), definition_words_(words_of(definition)) {}

ClangdFacts::Stage ClangdFacts::stage_of(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, Stage>, 8> starts = {{
      {"provided by ", Stage::provider},
      {"\u2192 ", Stage::return_type},
      {"Parameters:", Stage::parameters},
      {"Type: ", Stage::type},
      {"Value = ", Stage::value},
      {"Offset: ", Stage::offset},
      {"Size: ", Stage::size},
      {"Passed ", Stage::passed},
  }};
  for (const auto& [start, stage] : starts) {
    if (line.starts_with(start))
      return stage == Stage::parameters && line.size() > start.size() ? Stage::none : stage;
  }
  return Stage::none;
}

bool ClangdFacts::take(std::string_view line) {
  line = trim(line);
  if (line.empty()) return true;
  if (in_parameters_ && line.starts_with("- ") && take_parameter(line)) return true;
  in_parameters_ = false;
  const Stage stage = stage_of(line);
  if (stage == Stage::none || stage < next_) return false;
  next_ = static_cast<Stage>(static_cast<int>(stage) + 1);
  in_parameters_ = stage == Stage::parameters;
  if (!in_parameters_ && !says_nothing(stage, line.substr(line.find(' ') + 1))) keep(line);
  return true;
}

// A parameter is dropped if all its words are in the definition; for others the server says more.
bool ClangdFacts::take_parameter(std::string_view item) {
  const std::string_view declaration = without_alias(item.substr(2));
  if (in_definition(declaration)) return true;
  const std::size_t dash = declaration.find(" - ");
  if (dash == std::string_view::npos || !in_definition(declaration.substr(0, dash))) return false;
  if (!parameters_kept_) keep("Parameters:");
  parameters_kept_ = true;
  keep(item);
  return true;
}

bool ClangdFacts::says_nothing(Stage stage, std::string_view value) const {
  switch (stage) {
    case Stage::return_type:
      return !deduced(value);
    case Stage::type:
      // An enumerator's type is its parent in the table; a dependent type is not known.
      return kind_ == "enumerator" || value == "<dependent type>" || in_definition(value);
    case Stage::value: {
      value.remove_prefix(std::min<std::size_t>(2, value.size()));  // "= "
      const std::string_view plain = value.substr(0, value.find(" (0x"));
      return definition_.ends_with(plain) &&
             trim(definition_.substr(0, definition_.size() - plain.size())).ends_with('=');
    }
    case Stage::provider:
    case Stage::offset:
    case Stage::size:
    case Stage::passed:
      return true;
    default:
      return false;
  }
}

bool ClangdFacts::in_definition(std::string_view text) const {
  return std::ranges::all_of(words_of(text),
                             [&](std::string_view word) { return definition_words_.contains(word); });
}

// clangd writes the return type of a function into its definition even if the source has `auto`, but not that
// of a lambda's variable.
bool ClangdFacts::deduced(std::string_view return_type) const {
  const std::string_view before = definition_.substr(0, find_word(definition_, name_));
  if (find_word(before, "auto") == std::string_view::npos) return false;
  if (definition_.find("->") != std::string_view::npos) return false;
  return !std::ranges::includes(words_of(before), words_of(without_alias(return_type)));
}

void ClangdFacts::keep(std::string_view line) {
  kept_ += line;
  kept_ += '\n';
}

}  // namespace symbols::table
