// Applies a change of an open document, as textDocument/didChange sends it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lsp/position_encoding.h"
#include "lsp/range.h"

namespace symbols::lsp {

// Applies one TextDocumentContentChangeEvent (LSP 3.17, didChange) to `text`, valid UTF-8: replaces `range`,
// or the whole text if there is none, by `new_text`, valid UTF-8 that is not a view of `text`. The changes of
// one notification are applied in order, each to the result of the one before. Positions are read as by
// PositionIndex::offset; a range whose end is before its start is swapped, as
// vscode-languageserver-textdocument does. Takes one pass over the text, without an index.
void apply_change(std::string& text, const std::optional<Range>& range, std::string_view new_text,
                  PositionEncoding encoding);

}  // namespace symbols::lsp
