// clangd's own layout of a hover: a heading, facts about the type, the documentation, and the definition
// last. In Markdown the parts are marked; in plain text (clients that declare no contentFormat) only empty
// lines separate them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "table/hover/hover_text.h"
#include "table/hover/markdown.h"

namespace symbols::table {

// The two parts of a clangd hover; nothing if it is another server's. Text that repeats the definition or the
// row is dropped: the heading, the return type and the type if the definition has them, parameters without
// documentation, a value at the end of the definition, and the comment that names the scope. clangd's other
// facts (value, offset, size, an alias' real type) follow the documentation.
std::optional<HoverText> split_clangd_hover(std::span<const MarkdownBlock> blocks);
std::optional<HoverText> split_clangd_plain_hover(std::string_view text);

}  // namespace symbols::table
