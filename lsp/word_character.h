// The characters of words in source code, whatever the language: to tell which word a position is in, and
// whether a name found in a text is a part of a longer one.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::lsp {

// ASCII letters and digits, `_`, `$`, and every character beyond ASCII that is not in one of Unicode's blocks
// of controls, spaces, punctuation and symbols (arrows, mathematics, drawing, CJK and full-width
// punctuation). Joiners and connectors (U+200C, U+200D, U+203F, …), currency signs and emoji are in words, as
// some languages have them in names; so is punctuation inside a script's own block of letters, which is not
// distinguished.
bool is_word_character(char32_t code_point);

// Length in bytes of the first, or last, character of `text` if it is a word character; else 0. `text` is
// UTF-8; an invalid byte is not a word character.
std::size_t leading_word_character(std::string_view text);
std::size_t trailing_word_character(std::string_view text);

}  // namespace symbols::lsp
