// The layout of a settings file, and our values in that layout: people read and compare these files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::setup {

// The indentation of the line of `offset`.
std::string_view indent_of_line(std::string_view text, std::size_t offset);

// Whether there is only whitespace before `offset` in its line.
bool begins_its_line(std::string_view text, std::size_t offset);

// The indentation of one level in the file (JSON, perhaps with comments): that of its first indented line of
// JSON, else two spaces.
std::string_view indent_unit(std::string_view text);

// The line end of the file's first line: "\n", "\r\n" or "\r"; "\n" if there is only one line.
std::string_view line_end(std::string_view text);

// Lays out `value` (JSON in lines with two spaces per level, the first line indented by `value_indent`) for a
// position in `file` in a line indented by `indent`.
std::string laid_out(std::string_view value, std::size_t value_indent, std::string_view file,
                     std::string_view indent);

}  // namespace symbols::setup
