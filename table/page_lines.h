// Lines of a text for a terminal, no wider than its page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// Breaks the lines of `out` from byte `start` on at spaces, so that they have at most `width` columns; 0: any
// number. What follows a break is indented by two spaces. A word that is wider than that stays whole, to be
// copied.
void wrap_lines(std::string& out, std::size_t start, std::size_t width);

// `line`, whose only control characters are tabs (to every eighth column), ended by `…` where it has more
// than `width` columns; 0: any number.
std::string cut_to_width(std::string_view line, std::size_t width);

}  // namespace symbols::table
