// Markdown within a block reduced to its text.
#pragma once

#include <string>
#include <string_view>

#include "table/hover/markdown_blocks.h"

namespace symbols::table {

// The text of a paragraph or heading (`MarkdownBlock::text`): emphasis, backticks and link targets gone,
// images as their alternative text, backslash escapes and HTML entities undone outside inline code, which
// stays verbatim; HTML tags stay, `<br>` is a line end and comments are dropped. Line ends are kept. `labels`
// are those of the whole document.
//
// CommonMark 0.31 but for what would cost documentation that was never meant as Markdown its characters: a
// `*` between letters or beside a slash (`2*3*4`, `src/**/*.ts`) is no emphasis, and `a[i](j)` no link. Time
// is linear in the length of `text`.
std::string markdown_inline_text(std::string_view text, const LinkLabels& labels);

}  // namespace symbols::table
