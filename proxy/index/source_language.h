// The languages of sources as far as the index tells them apart, groups of LSP's kinds, and the words of a
// text.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ascii.h"
#include "lsp/document_symbol.h"

namespace symbols::index {

enum class Language { c_header, c_source, script, python, other };  // `script`: of JavaScript's kin

// By the end of the path.
Language language_of(std::string_view path);

inline bool is_type_kind(std::int64_t kind) {
  return kind == lsp::SymbolKind::class_ || kind == lsp::SymbolKind::enum_ ||
         kind == lsp::SymbolKind::interface || kind == lsp::SymbolKind::struct_;
}
inline bool is_function_kind(std::int64_t kind) {
  return kind == lsp::SymbolKind::method || kind == lsp::SymbolKind::constructor ||
         kind == lsp::SymbolKind::function;
}

inline bool is_variable_kind(std::int64_t kind) {
  return kind == lsp::SymbolKind::variable || kind == lsp::SymbolKind::constant;
}

// The word that starts at `at`; empty where none does.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace symbols::index
