// Markdown within a block reduced to its text.
#pragma once

#include <string>
#include <string_view>

#include "table/hover/markdown_blocks.h"

namespace symbols::table {

// The text of a paragraph or heading (`MarkdownBlock::text`): emphasis, backticks and link targets gone,
// images become their alternative text, backslash escapes and HTML entities are decoded outside inline code,
// which stays verbatim; HTML tags stay, `<br>` becomes a line end and comments are dropped. Line ends are
// kept. `labels` are those of the whole document.
//
// CommonMark 0.31, with exceptions that keep characters of documentation that was not written as Markdown: a
// `*` between letters or beside a slash (`2*3*4`, `src/**/*.ts`) is not emphasis, and `a[i](j)` is not a
// link. Time is linear in the length of `text`.
std::string markdown_inline_text(std::string_view text, const LinkLabels& labels);

}  // namespace symbols::table
