#include "proxy/index/source_signature.h"

#include <cstddef>

#include "base/ascii.h"
#include "table/hover/cut_text.h"
#include "table/whitespace.h"

namespace symbols::index {
namespace {

constexpr std::size_t longest_signature = 100;     // characters
constexpr std::size_t longest_declaration = 2000;  // bytes

void skip_whitespace(std::string_view& text) {
  while (!text.empty() && is_whitespace(text.front())) text.remove_prefix(1);
}

void skip_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || (text.size() > word.size() && is_word(text[word.size()]))) return;
  text.remove_prefix(word.size());
  skip_whitespace(text);
}

// The length of what `text` starts with up to the bracket that closes its first one; 0 if none does.
std::size_t bracketed_length(std::string_view text) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' ||
               (c == '>' && at > 0 && text[at - 1] != '=' && text[at - 1] != '-')) {
      if (--depth == 0) return at + 1;
    }
  }
  return 0;
}

// The result's type follows the parameters up to the body, the value or the end of the declaration.
std::size_t result_length(std::string_view text, Language language, bool arrow_goes_on) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    const bool is_arrow = text.substr(at).starts_with("=>");
    if (is_arrow && arrow_goes_on) {
      at += 2;
      continue;
    }
    if (c == '\n' || c == '\r' || c == '{' || c == ';' || c == ',' || c == '}' || c == '=') break;
    if (c == ':' &&
        (language == Language::python || language == Language::c_header || language == Language::c_source))
      break;
    if (c == '(' || c == '[' || c == '<') {
      const std::size_t length = bracketed_length(text.substr(at));
      if (length == 0) break;
      at += length;
    } else {
      ++at;
    }
  }
  return at;
}

// `(self, a)`: callers do not give it.
void drop_receiver(std::string& signature) {
  for (const std::string_view receiver : {"self", "cls"}) {
    if (!signature.substr(1).starts_with(receiver)) continue;
    const std::string_view rest = std::string_view(signature).substr(1 + receiver.size());
    if (rest.starts_with(')') || rest.starts_with(", "))
      signature.erase(1, receiver.size() + (rest.starts_with(')') ? 0 : 2));
    return;
  }
}

}  // namespace

std::string source_signature(std::string_view rest, std::int64_t kind, Language language) {
  const bool is_value = language == Language::script && (kind == 7 || kind == 8 || kind == 13 || kind == 14);
  if (!is_function_kind(kind) && !is_value) return {};
  rest = rest.substr(0, longest_declaration);
  if (rest.starts_with('?') || rest.starts_with('!')) rest.remove_prefix(1);
  skip_whitespace(rest);
  bool is_type = false;
  if (is_value && (rest.starts_with(':') || rest.starts_with('='))) {
    is_type = rest.front() == ':';
    rest.remove_prefix(1);
    skip_whitespace(rest);
    skip_word(rest, "async");
    skip_word(rest, "function");
  }
  if (rest.starts_with('<')) {
    rest.remove_prefix(bracketed_length(rest));
    skip_whitespace(rest);
  }
  if (!rest.starts_with('(')) return {};
  const std::size_t parameters = bracketed_length(rest);
  if (parameters == 0) return {};
  const std::size_t result = result_length(rest.substr(parameters), language, is_type);
  // A type that is not a function's: `(A | B)[]`.
  if (is_type && rest.substr(parameters, result).find("=>") == rest.npos) return {};
  std::string signature = table::fold_whitespace(rest.substr(0, parameters + result));
  if (language == Language::python) drop_receiver(signature);
  return table::cut_signature(signature, longest_signature);
}

}  // namespace symbols::index
