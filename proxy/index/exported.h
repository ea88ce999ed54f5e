// Which of a file's symbols other files can use. Servers do not tell, so it is read from the names, the rows
// and the text around the names, by a rule for each language (docs/map.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "lsp/document_symbol.h"

namespace symbols::index {

enum class Language { c_header, c_source, script, python, go, rust, other };  // `script`: of JavaScript's kin

// LSP's kinds.
inline constexpr std::int64_t module_kind = 2;
inline constexpr std::int64_t namespace_kind = 3;
inline constexpr std::int64_t package_kind = 4;
inline constexpr std::int64_t class_kind = 5;
inline constexpr std::int64_t constructor_kind = 9;
inline constexpr std::int64_t enum_kind = 10;
inline constexpr std::int64_t interface_kind = 11;
inline constexpr std::int64_t struct_kind = 23;

inline bool is_type_kind(std::int64_t kind) {
  return kind == class_kind || kind == enum_kind || kind == interface_kind || kind == struct_kind;
}
// Method, Constructor, Function.
inline bool is_function_kind(std::int64_t kind) {
  return kind == 6 || kind == constructor_kind || kind == 12;
}

// Variable, Constant.
inline bool is_variable_kind(std::int64_t kind) {
  return kind == 13 || kind == 14;
}

// Of words in any of these languages: ASCII's, `$`, and all that is beyond ASCII.
inline bool is_word_byte(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
// The word that starts at `at`; empty where none does.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return text.substr(at, end - at);
}
// Calls `visit` with each word of `text`.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = word_at(text, at);
    if (!word.empty()) visit(word);
    at += word.size() + 1;
  }
}

// By the end of the path.
Language language_of(std::string_view path);

// [row]: whether that symbol is exported; none is inside of one that is not. `text`: the file's, UTF-8;
// positions count in UTF-16.
std::vector<bool> exported_rows(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

}  // namespace symbols::index
