// How many columns of a terminal a text takes: East Asian and emoji characters take two, combining ones none.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::table {

// The columns of `text`, which is UTF-8 without control characters; an invalid byte counts as one. Each
// character counts by itself, as in wcwidth(3): terminals do not agree on sequences such as an emoji with a
// joiner, and this is never less than what they take.
std::size_t display_width(std::string_view text);

// Length in bytes of the longest start of `text` that takes at most `columns`: whole characters, with the
// combining ones that follow.
std::size_t prefix_of_width(std::string_view text, std::size_t columns);

}  // namespace symbols::table
