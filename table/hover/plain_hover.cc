#include "table/hover/plain_hover.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.h"
#include "table/hover/clangd_hover.h"
#include "table/hover/prose.h"

namespace symbols::table {
namespace {

// First words of a declaration, in the languages whose servers send plain text.
constexpr auto keywords = std::to_array<std::string_view>(
    {"abstract", "async",    "class",  "const",     "constructor", "def",     "enum",      "export",
     "extern",   "field",    "fn",     "func",      "function",    "impl",    "import",    "interface",
     "let",      "module",   "mut",    "namespace", "package",     "private", "protected", "pub",
     "public",   "readonly", "static", "struct",    "template",    "trait",   "type",      "typedef",
     "union",    "using",    "val",    "var",       "virtual",     "void"});

constexpr std::array<std::string_view, 12> primitive_types = {"any",    "bigint",    "boolean", "never",
                                                              "null",   "number",    "object",  "string",
                                                              "symbol", "undefined", "unknown", "void"};

std::string_view first_word(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_word(line[end])) ++end;
  return line.substr(0, end);
}

// `(method) `, `(enum member) `: the kind, in the words of TypeScript or pyright.
std::size_t kind_prefix(std::string_view line) {
  if (!line.starts_with('(')) return 0;
  std::size_t end = 1;
  while (end < line.size() && (is_letter(line[end]) || line[end] == ' ' || line[end] == '-')) ++end;
  return line.substr(end).starts_with(") ") ? end + 2 : 0;
}

// The name alone: gopls calls a method `(*T).M`, and its hover `func (*T).M()`.
std::string_view last_part(std::string_view name) {
  const std::size_t end = name.find_last_of(". ");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

// Where the signature at the start of `text` ends: at the first line end outside brackets, else at the first
// blank line.
std::size_t signature_end(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (depth == 0 && (c == '\n' || c == '\r')) return i;
  }
  return depth == 0 ? text.size() : std::min({text.find("\n\n"), text.find("\r\n\r\n"), text.size()});
}

// Past the bracket that closes the one at the start of `text`; 0 where there is none.
std::size_t skip_brackets(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool arrow = c == '>' && i > 0 && (text[i - 1] == '=' || text[i - 1] == '-');
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if ((c == ')' || c == ']' || c == '}' || (c == '>' && !arrow)) && depth > 0) --depth;
    if (depth == 0) return i == 0 ? 0 : i + 1;
  }
  return 0;
}

// Bytes of the type that documentation directly follows at the start of `word`: `number` of
// `numberCalculates`.
std::size_t glued_type(std::string_view word, std::string_view own_class) {
  const auto glued_to = [&](std::string_view type) {
    return !type.empty() && word.size() > type.size() && word.starts_with(type) &&
           is_letter(word[type.size()]);
  };
  if (glued_to(own_class)) return own_class.size();
  const auto* const type = std::ranges::find_if(primitive_types, glued_to);
  return type == primitive_types.end() ? 0 : type->size();
}

// Where TypeScript's documentation starts within `signature`; its length if that cannot be recognised.
std::size_t glued_documentation(std::string_view signature, std::string_view symbol_name) {
  const std::size_t prefix = kind_prefix(signature);
  const std::string_view word = first_word(signature.substr(prefix));
  const std::size_t name_start = prefix + word.size() + 1;
  const std::string_view declared = signature.substr(std::min(name_start, signature.size()));
  if (word == "class" || word == "enum" || word == "interface" || word == "namespace") {
    if (symbol_name.empty() || !declared.starts_with(symbol_name)) return signature.size();
    std::size_t end = name_start + symbol_name.size();
    end += skip_brackets(signature.substr(end));
    return end < signature.size() && is_letter(signature[end]) ? end : signature.size();
  }
  // Only if the hover is certainly TypeScript's: `[]byte` is a type in Go.
  const bool typescript = (prefix > 0 && word != "def" && word != "async") || word == "function" ||
                          word == "constructor" || word == "let" || word == "const";
  if (!typescript) return signature.size();
  const std::string_view own_class = word == "constructor" ? first_word(declared) : std::string_view{};
  const auto at = [&](std::size_t i) { return i < signature.size() ? signature[i] : '\0'; };
  const auto one_of = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
  bool in_type = false;  // beyond the colon
  for (std::size_t i = prefix; i < signature.size();) {
    if (one_of(at(i), "([{<")) {
      const std::size_t length = skip_brackets(signature.substr(i));
      if (length == 0) break;
      i += length;
      if (in_type && is_letter(at(i))) return i;
      continue;
    }
    // A space ends the type, unless it is beside a mark that joins types.
    const bool blank = at(i) == ' ';
    const bool type_starts = blank && i > 0 && one_of(at(i - 1), ":|&>");
    if (in_type && blank && !type_starts && !one_of(at(i + 1), "|&=")) break;
    if (at(i) == ':') in_type = true;
    ++i;
    if (!in_type || !type_starts) continue;
    const std::size_t length = glued_type(first_word(signature.substr(i)), own_class);
    if (length != 0) return i + length;
  }
  return signature.size();
}

}  // namespace

bool looks_like_code(std::string_view line, std::string_view symbol_name) {
  line = trim(line);
  if (line.empty()) return false;
  if (kind_prefix(line) != 0) return true;
  if ((line.starts_with('<') || line.starts_with('@')) && line.ends_with('>'))
    return true;  // an element, from CSS
  symbol_name = last_part(symbol_name);
  const std::string_view word = first_word(line);
  const bool keyword = std::ranges::find(keywords, word) != keywords.end();
  if (keyword && !symbol_name.empty() && trim(line.substr(word.size())).starts_with(symbol_name)) return true;
  if (line.ends_with('.') && !line.ends_with("...")) return false;
  if (keyword) return true;
  const bool names_it = !symbol_name.empty() && line.find(symbol_name) != std::string_view::npos;
  return names_it && line.find_first_of("(){}[]=;:<>*&") != std::string_view::npos;
}

HoverText split_plain_hover(std::string_view text, std::string_view symbol_name) {
  text = trim(text);
  if (std::optional<HoverText> clangd = split_clangd_plain_hover(text)) return std::move(*clangd);
  const std::size_t line_end = std::min(text.find_first_of("\r\n"), text.size());
  if (!looks_like_code(text.substr(0, line_end), symbol_name)) return {{}, prose_line(tidy_tags(text))};
  std::size_t end = signature_end(text);
  end = glued_documentation(text.substr(0, end), symbol_name);
  return {code_line(text.substr(0, end)), prose_line(tidy_tags(text.substr(end)))};
}

}  // namespace symbols::table
