// What a single line of Markdown says about its block (CommonMark 0.31, section 4, and GitHub's tables).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

// `text` in lines without their ends ('\n', "\r\n" or '\r'); a text that ends in a line end has no empty last
// line.
std::vector<std::string_view> split_lines(std::string_view text);

// Columns of indentation from which a line is indented code, and not a mark.
inline constexpr std::size_t code_indent = 4;

// The width of the indentation of `line`, and `line` without up to `columns` of it. Tab stops are four
// columns apart.
std::size_t indent_columns(std::string_view line);
std::string_view without_indent(std::string_view line, std::size_t columns = std::string_view::npos);

// Removes the quote marks (`> `); returns whether there were any.
bool strip_quote(std::string_view& line);

// How often `mark` is repeated at the start of `text`.
std::size_t leading(std::string_view text, char mark);

// Below, `content` is a line without whitespace at its ends.

bool is_ruler(std::string_view content);

// Bytes of a list mark and the spaces after it (`- `, `1. `), 0 if there is none.
std::size_t list_mark(std::string_view content);

// The line between a table's head and its body: `|---|:-:|`.
bool is_table_delimiter(std::string_view line);

// A table's row with spaces instead of its bars.
std::string table_cells(std::string_view row);

// The label of a link reference definition (`[label]: address "title"`), empty if the line is not one. If the
// word after the colon is not an address, the line is a sentence, which is kept.
std::string_view definition_label(std::string_view content);

}  // namespace symbols::table
