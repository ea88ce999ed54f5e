// What a single line of Markdown tells about the block that it belongs to (CommonMark 0.31, section 4, and
// GitHub's tables).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

// `text` in lines without their ends ('\n', "\r\n" or '\r'); a text that ends in a line end has no empty last
// line.
std::vector<std::string_view> split_lines(std::string_view text);

// Columns that make a line indented code, and too far in to be a mark.
inline constexpr std::size_t code_indent = 4;

// Width of the blanks that `line` starts with, and `line` without as many of them as fit in `columns`. Tab
// stops are four columns apart.
std::size_t indent_columns(std::string_view line);
std::string_view without_indent(std::string_view line, std::size_t columns = std::string_view::npos);

// Takes the quote marks (`> `) off; whether there were any.
bool strip_quote(std::string_view& line);

// How often `mark` stands at the start of `text`.
std::size_t leading(std::string_view text, char mark);

// Below, `content` is a line without the blanks at its ends.

bool is_ruler(std::string_view content);

// Bytes of a list mark and the blanks after it (`- `, `1. `), 0 where there is none.
std::size_t list_mark(std::string_view content);

// The line between a table's head and its body: `|---|:-:|`.
bool is_table_delimiter(std::string_view line);

// A table's row with spaces for its bars.
std::string table_cells(std::string_view row);

// The label of a link reference definition (`[label]: address "title"`), empty where the line is none. A word
// after the colon that is no address makes it a sentence, which is kept.
std::string_view definition_label(std::string_view content);

}  // namespace symbols::table
