// How a settings file is laid out, and values of ours in its way: people read and compare these files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::setup {

// The blanks that the line of `offset` begins with.
std::string_view indent_of_line(std::string_view text, std::size_t offset);

// Whether nothing but blanks stands before `offset` in its line.
bool begins_its_line(std::string_view text, std::size_t offset);

// What the file, JSON that may have comments, indents a level by: as its first line of JSON that is indented,
// else two blanks.
std::string_view indent_unit(std::string_view text);

// What the file's first line ends with: "\n", which it is too where there is but one line, "\r\n" or "\r".
std::string_view line_end(std::string_view text);

// `value`, JSON over lines with two blanks a level, whose first line is indented by `value_indent`, as it is
// to stand in `file` at a place whose line is indented by `indent`.
std::string laid_out(std::string_view value, std::size_t value_indent, std::string_view file,
                     std::string_view indent);

// The value on one line, with a blank behind commas and colons.
std::string in_one_line(std::string_view json);

}  // namespace symbols::setup
