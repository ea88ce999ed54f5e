#include "table/one_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/position.h"
#include "lsp/unicode.h"

namespace symbols::table {
namespace {

// A signature's list of parameters.
struct ParameterList {
  std::size_t start;                        // behind the opening parenthesis
  std::size_t end;                          // of the closing one
  std::vector<std::size_t> parameter_ends;  // behind the comma of each but the last
};

// The outermost list in parentheses that something stands before, other than a word in parentheses such as
// `(method)` and a method's receiver in Go; none where brackets are not in pairs.
std::optional<ParameterList> find_parameters(std::string_view signature) {
  std::optional<ParameterList> list;
  std::string open;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    const char before = i > 0 ? signature[i - 1] : ' ';
    if (c == '<') {
      if (is_word(before)) open += c;  // type arguments; elsewhere an operator, or `template <`
    } else if (c == '>') {
      const bool is_arrow = before == '-' || before == '=';
      if (!is_arrow && open.ends_with('<')) open.pop_back();
    } else if (c == '(' || c == '[' || c == '{') {
      const bool follows_name = is_word(before) || before == '>';
      if (c == '(' && open.empty() && follows_name) list = {.start = i + 1, .end = 0, .parameter_ends = {}};
      open += c;
    } else if (c == ')' || c == ']' || c == '}') {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      while (open.ends_with('<')) open.pop_back();
      if (!open.ends_with(opening)) return std::nullopt;
      open.pop_back();
      if (list && open.empty()) {
        list->end = i;
        return list;
      }
    } else if (c == ',' && list && open.size() == 1) {
      list->parameter_ends.push_back(i + 1);
    }
  }
  return std::nullopt;
}

// Start and end of the type parameters in `type X<A, B> = ...`, without brackets; 0 and 0 if not an alias.
std::pair<std::size_t, std::size_t> alias_parameters(std::string_view signature) {
  const std::size_t open = signature.find_first_of("<(=");
  if (open == std::string_view::npos || signature[open] != '<') return {};
  const std::size_t end = bracket_end(signature, open);
  if (!signature.substr(end).starts_with(" = ")) return {};
  return {open + 1, end - 1};
}

// Where the name of the function starts whose list of parameters opens at `open`, without its scope.
std::size_t name_start(std::string_view signature, std::size_t open) {
  std::size_t start = open;
  if (start > 0 && signature[start - 1] == '>') {  // its type parameters
    std::size_t depth = 0;
    while (start > 0) {
      --start;
      if (signature[start] == '>') ++depth;
      if (signature[start] == '<' && --depth == 0) break;
    }
  }
  while (start > 0 && is_word(signature[start - 1])) --start;
  return start;
}

// As opens_bracket.
bool closes_bracket(std::string_view code, std::size_t at) {
  const char c = code[at];
  if (c != '>') return c == ')' || c == ']' || c == '}';
  return at > 0 && code[at - 1] != '=' && code[at - 1] != '-';  // not of an arrow
}

}  // namespace

std::size_t whitespace_at(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text[0]) < 0x80) return is_whitespace(text[0]) ? 1 : 0;
  const auto [c, length, valid] = lsp::decode_utf8(text);
  const bool is_space = c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
                        c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
  return is_space ? length : 0;
}

std::string fold_whitespace(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = whitespace_at(text.substr(at)); length > 0) {
      space = !folded.empty();
      at += length;
      continue;
    }
    if (std::exchange(space, false)) folded += ' ';
    folded += text[at++];
  }
  return folded;
}

std::string cut_text(std::string_view text, std::size_t max_characters) {
  if (max_characters == 0 || text.size() <= max_characters) return std::string(text);
  constexpr auto characters = lsp::PositionEncoding::utf32;
  if (lsp::bytes_of_units(text, max_characters, characters) == text.size()) return std::string(text);
  return std::string(text.substr(0, lsp::bytes_of_units(text, max_characters - 1, characters))) + "\u2026";
}

bool opens_bracket(std::string_view code, std::size_t at) {
  const char c = code[at];
  if (c != '<') return c == '(' || c == '[' || c == '{';
  // Not of a comparison.
  return at + 1 < code.size() && code[at + 1] != '=' && code[at + 1] != ' ';
}

std::size_t find_end(std::string_view code, std::size_t at, std::string_view ends) {
  std::size_t depth = 0;
  for (; at < code.size(); ++at) {
    if (depth == 0 && ends.find(code[at]) != std::string_view::npos) return at;
    if (opens_bracket(code, at)) {
      ++depth;
    } else if (closes_bracket(code, at) && depth-- == 0) {
      return at;
    }
  }
  return code.size();
}

std::size_t bracket_end(std::string_view code, std::size_t open) {
  return std::min(find_end(code, open + 1) + 1, code.size());
}

std::size_t find_outside_brackets(std::string_view code, std::string_view name, std::string_view before) {
  if (name.empty()) return std::string_view::npos;
  std::size_t depth = 0;
  for (std::size_t i = 0; i + name.size() <= code.size(); ++i) {
    const std::size_t end = i + name.size();
    const bool is_here = depth == 0 && code.compare(i, name.size(), name) == 0 &&
                         (i == 0 || before.find(code[i - 1]) != std::string_view::npos) &&
                         (end == code.size() || (!is_word(code[end]) && code[end] != '$'));
    if (is_here) return i;
    if (opens_bracket(code, i)) {
      ++depth;
    } else if (closes_bracket(code, i) && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

std::string cut_signature(std::string_view signature, std::size_t max_characters) {
  if (max_characters == 0 || lsp::scalar_count(signature) <= max_characters) return std::string(signature);
  if (const auto [open, close] = alias_parameters(signature); close != 0 && close > max_characters / 2) {
    return cut_text(fmt::format("{}\u2026{}", signature.substr(0, open), signature.substr(close)),
                    max_characters);
  }
  const std::optional<ParameterList> list = find_parameters(signature);
  constexpr std::string_view rest_of_list = "\u2026)";
  if (!list) return cut_text(signature, max_characters);
  const std::size_t around = lsp::scalar_count(signature.substr(0, list->start)) + 2 +
                             lsp::scalar_count(signature.substr(list->end + 1));
  if (around >= max_characters) {  // which would leave nothing of the parameters
    constexpr std::string_view rest_before = "\u2026 ";
    const std::size_t name = name_start(signature, list->start - 1);
    // In half of the room, so that parameters follow it.
    const std::size_t name_length =
        rest_before.size() + lsp::scalar_count(signature.substr(name, list->start - name));
    const bool helps = name > rest_before.size() && 2 * name_length <= max_characters;
    if (!helps) return cut_text(signature, max_characters);
    return cut_signature(std::string(rest_before).append(signature.substr(name)), max_characters);
  }
  if (list->end + 1 == signature.size()) return cut_text(signature, max_characters);
  std::size_t kept = list->start;
  std::size_t kept_length = around + 1;
  for (const std::size_t end : list->parameter_ends) {
    kept_length += lsp::scalar_count(signature.substr(kept, end - kept));
    if (kept_length >= max_characters) break;
    kept = end;
  }
  std::string cut(signature.substr(0, kept));
  if (kept != list->start) cut += ' ';
  return cut.append(rest_of_list).append(signature.substr(list->end + 1));
}

}  // namespace symbols::table
