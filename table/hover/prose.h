// The prose and the code of a hover as lines: of a run of Markdown blocks, or of plain text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/hover/markdown.h"

namespace symbols::table {

// The text of the blocks, with a line end after each: prose with tidy tags, code verbatim, rulers dropped.
std::string prose_text(std::span<const MarkdownBlock> blocks);

// `prose` (plain text, lines ended by '\n') with its documentation tags (`@param`, `\return`) tidied, where
// they start a line: without the dash after a parameter's name, and the one that TypeScript puts after any
// other tag: `@param width - in mm` gives `@param width in mm`, `@default — 2` gives `@default 2`. What files
// a symbol away instead of describing it goes: lines of `@since`, `@category`, `@author` and `@version`,
// `@see` and `@sa` with nothing but an address, and the words `@brief`, `@short` and fmt's `\rst` and
// `\endrst`. Time is linear in the length of `prose`.
std::string tidy_tags(std::string_view prose);

// `prose` in one line, without a list mark or a dash at its start, because it follows a separator that looks
// like one.
std::string prose_line(std::string_view prose);

// `code` in one line. A backslash at a line end in a macro definition is whitespace in C, and is removed.
std::string code_line(std::string_view code);

// `text` in lines without their ends ('\n', "\r\n" or '\r'); a text that ends in a line end has no empty last
// line.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace symbols::table
