// The text of a run of Markdown blocks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/hover/markdown.h"

namespace symbols::table {

// The text of the blocks, with a line end after each: prose without dashes after its tags, code
// verbatim, rulers dropped.
std::string prose_text(std::span<const MarkdownBlock> blocks);

// `prose` in one line, without a list mark or a dash at its start, because it follows a separator that looks
// like one.
std::string prose_line(std::string_view prose);

// `code` in one line. A backslash at a line end in a macro definition is whitespace in C, and is removed.
std::string code_line(std::string_view code);

// `text` in lines without their ends ('\n', "\r\n" or '\r'); a text that ends in a line end has no empty last
// line.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace symbols::table
