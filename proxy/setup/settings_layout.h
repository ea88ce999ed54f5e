// The layout of a settings file, and our values in that layout: people read and compare these files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::setup {

// The whitespace that the line of `offset` begins with.
std::string_view indent_of_line(std::string_view text, std::size_t offset);

// Whether nothing but whitespace stands before `offset` in its line.
bool begins_its_line(std::string_view text, std::size_t offset);

// What the file, JSON that may have comments, indents a level by: as its first line of JSON that is indented,
// else two whitespace.
std::string_view indent_unit(std::string_view text);

// The line end of the file's first line: "\n", "\r\n" or "\r"; "\n" if there is only one line.
std::string_view line_end(std::string_view text);

// `value`, JSON over lines with two whitespace a level, whose first line is indented by `value_indent`, as it
// is to stand in `file` at a place whose line is indented by `indent`.
std::string laid_out(std::string_view value, std::size_t value_indent, std::string_view file,
                     std::string_view indent);

// The value on one line, with a space after commas and colons.
std::string in_one_line(std::string_view json);

}  // namespace symbols::setup
