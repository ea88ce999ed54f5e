// Brackets in a line of code, in any language: `(`, `[`, `{`, and `<` unless it compares. A wrong guess only
// changes how a signature is shortened.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::table {

// Whether a bracket opens, or closes, at `at`, which is in `code`.
bool opens_bracket(std::string_view code, std::size_t at);
bool closes_bracket(std::string_view code, std::size_t at);

// The offset after the bracket that closes the one at `open`; the size if there is none.
std::size_t bracket_end(std::string_view code, std::size_t open);

// The offset of `name` outside brackets, at the start or directly after one of the characters `before`, and
// not as part of a longer word; npos if it is nowhere.
std::size_t find_outside_brackets(std::string_view code, std::string_view name, std::string_view before);

}  // namespace symbols::table
