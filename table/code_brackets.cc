#include "table/code_brackets.h"

#include "base/text.h"

namespace symbols::table {
namespace {

bool continues_name(char c) {
  return is_word(c) || c == '$';  // JavaScript
}

}  // namespace

bool opens_bracket(std::string_view code, std::size_t at) {
  const char c = code[at];
  if (c != '<') return c == '(' || c == '[' || c == '{';
  // Not of a comparison.
  return at + 1 < code.size() && code[at + 1] != '=' && code[at + 1] != ' ';
}

bool closes_bracket(std::string_view code, std::size_t at) {
  const char c = code[at];
  if (c != '>') return c == ')' || c == ']' || c == '}';
  return at > 0 && code[at - 1] != '=' && code[at - 1] != '-';  // not of an arrow
}

std::size_t bracket_end(std::string_view code, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (opens_bracket(code, i) || i == open) {
      ++depth;
    } else if (closes_bracket(code, i) && --depth == 0) {
      return i + 1;
    }
  }
  return code.size();
}

std::size_t find_outside_brackets(std::string_view code, std::string_view name, std::string_view before) {
  if (name.empty()) return std::string_view::npos;
  std::size_t depth = 0;
  for (std::size_t i = 0; i + name.size() <= code.size(); ++i) {
    const bool is_here = depth == 0 && code.compare(i, name.size(), name) == 0 &&
                         (i == 0 || before.find(code[i - 1]) != std::string_view::npos) &&
                         (i + name.size() == code.size() || !continues_name(code[i + name.size()]));
    if (is_here) return i;
    if (opens_bracket(code, i)) {
      ++depth;
    } else if (closes_bracket(code, i) && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

}  // namespace symbols::table
