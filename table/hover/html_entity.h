// HTML entities in Markdown: servers write `<` as `&lt;` and indentation as `&nbsp;` (pyright, clangd).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// Reads the entity at the start of `text`, which starts with '&': numeric (`&#39;`, `&#x27;`) or one of the
// names that occur in documentation. Appends its character to `out` as UTF-8 and returns the bytes read; 0,
// with nothing appended, for an unknown entity. `&#0;`, surrogates and numbers above U+10FFFF give U+FFFD
// (CommonMark 0.31, section 2.5).
std::size_t append_entity(std::string& out, std::string_view text);

}  // namespace symbols::table
