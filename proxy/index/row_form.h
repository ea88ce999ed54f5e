// The kinds of rows that the index tells apart, and whether a row defines its name, or only declares or
// imports it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

// LSP's kinds that the index tells apart.
inline constexpr std::int64_t module_kind = 2;
inline constexpr std::int64_t namespace_kind = 3;
inline constexpr std::int64_t package_kind = 4;
inline constexpr std::int64_t class_kind = 5;
inline constexpr std::int64_t property_kind = 7;
inline constexpr std::int64_t field_kind = 8;
inline constexpr std::int64_t constructor_kind = 9;
inline constexpr std::int64_t enum_kind = 10;
inline constexpr std::int64_t interface_kind = 11;
inline constexpr std::int64_t variable_kind = 13;
inline constexpr std::int64_t constant_kind = 14;
inline constexpr std::int64_t struct_kind = 23;

inline bool is_type_kind(std::int64_t kind) {
  return kind == class_kind || kind == enum_kind || kind == interface_kind || kind == struct_kind;
}
// Method, Constructor, Function.
inline bool is_function_kind(std::int64_t kind) {
  return kind == 6 || kind == constructor_kind || kind == 12;
}
inline bool is_variable_kind(std::int64_t kind) {
  return kind == variable_kind || kind == constant_kind;
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
