// Which of a file's symbols other files can use. Servers do not tell, so it is read from the names, the rows
// and the text around the names, by a rule for each language (docs/map.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::index {

enum class Language { c_header, c_source, script, python, go, rust, other };  // `script`: of JavaScript's kin

// LSP's kinds that tell what a symbol's children are.
inline constexpr std::int64_t module_kind = 2;
inline constexpr std::int64_t namespace_kind = 3;
inline constexpr std::int64_t package_kind = 4;
inline constexpr std::int64_t class_kind = 5;
inline constexpr std::int64_t constructor_kind = 9;
inline constexpr std::int64_t enum_kind = 10;
inline constexpr std::int64_t interface_kind = 11;
inline constexpr std::int64_t struct_kind = 23;

// By the end of the path.
Language language_of(std::string_view path);

// [row]: whether that symbol is exported; none is inside of one that is not. `text`: the file's, UTF-8;
// positions count in UTF-16.
std::vector<bool> exported_rows(std::string_view path, const lsp::SymbolTree& tree, std::string_view text);

}  // namespace symbols::index
