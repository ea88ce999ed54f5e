// Groups of LSP's kinds, and whether a row defines its name, or only declares or
// imports it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

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

// Best first, for a search by name.
enum class RowForm : std::uint8_t {
  definition,
  declaration,  // of C and C++: a prototype, `class Table;`, `extern int count;`
  import,       // of JavaScript, TypeScript and Python: `import { a }`, `export { a }`, `a = require("a")`
};

// [row]: its form, read from the text as servers do not report it. `text`: the file's, UTF-8; positions count
// in UTF-16. Of other languages, and where the text ends before a row, all are definitions.
std::vector<RowForm> row_forms(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

}  // namespace symbols::index
