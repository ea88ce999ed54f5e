#include "table/hover/repetitions.h"

#include <algorithm>
#include <string>

#include "table/whitespace.h"

namespace symbols::table {
namespace {

// Code over several lines has become one line: `f( a, b )`.
void close_up_parentheses(std::string& code) {
  const auto is_space_inside = [&code](const char& c) {
    if (c != ' ' || &c == &code.front() || &c == &code.back()) return false;
    return *(&c - 1) == '(' || *(&c + 1) == ')';
  };
  std::string closed;
  closed.reserve(code.size());
  std::ranges::copy_if(code, std::back_inserter(closed), [&](const char& c) { return !is_space_inside(c); });
  code = std::move(closed);
}

// Whether it is pyright's of a symbol whose type it does not know: `(parameter) x: Unknown`.
bool says_nothing(std::string_view signature, std::string_view symbol_name) {
  if (symbol_name.empty() || !signature.starts_with('(')) return false;
  const std::size_t end = signature.find(") ");
  return end != std::string_view::npos && signature.substr(end + 2) == std::string(symbol_name) + ": Unknown";
}

// Whether it is the css server's of a rule: the selector, which is the name, written as HTML, and its
// specificity. That of a nested rule shows what `&` stands for.
bool repeats_selector(std::string_view prose, std::string_view symbol_name) {
  return !symbol_name.empty() && symbol_name.find('&') == std::string_view::npos &&
         prose.starts_with("Selector Specificity: (") && prose.ends_with(')');
}

}  // namespace

void drop_repetitions(HoverText& hover, std::string_view symbol_name) {
  auto& [signature, prose] = hover;
  close_up_parentheses(signature);
  if (prose == signature || prose == symbol_name) prose.clear();
  // pyright repeats a parameter's name before what its docstring says.
  if (!symbol_name.empty() && prose.starts_with(std::string(symbol_name) + ": ")) {
    prose.erase(0, symbol_name.size() + 2);
  }
  // clangd's of a namespace.
  if (signature == "namespace " + std::string(symbol_name) + " {}") signature.clear();
  if (says_nothing(signature, symbol_name)) signature.clear();
  if (repeats_selector(prose, symbol_name)) hover = {};
}

}  // namespace symbols::table
