// clangd's own layout of a hover: a heading, what it knows of the type, the documentation, and the definition
// last. As Markdown the parts are marked; as plain text (clients that declare no contentFormat) only blank
// lines tell.
#pragma once

#include <optional>
#include <string_view>

#include "table/hover/hover_text.h"
#include "table/hover/markdown_blocks.h"

namespace symbols::table {

// The two parts of a clangd hover, or nothing where it is another server's. Dropped is what only repeats the
// definition or the row: the heading, the return type and the type where the definition has them, the
// parameters of which nothing is said, a value that the definition ends in, and the comment that names the
// scope. The rest of what clangd says beside the documentation (value, offset, size, an alias' real type)
// follows it.
std::optional<HoverText> split_clangd_hover(const Markdown& document);
std::optional<HoverText> split_clangd_plain_hover(std::string_view text);

}  // namespace symbols::table
