// The change of an open document, as textDocument/didChange sends it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lsp/position_encoding.h"
#include "lsp/range.h"

namespace symbols::lsp {

// Applies one TextDocumentContentChangeEvent (LSP 3.17, didChange) to `text`, valid UTF-8: `new_text`, valid
// UTF-8 that is no part of `text`, in place of `range`, or of the whole text where there is none. The changes
// of one notification are applied one after another, each to what the one before has left. Positions mean
// what PositionIndex::offset says of them; a range whose end is before its start is read the other way round,
// as vscode-languageserver-textdocument does. Takes one pass over the text and no index of it.
void apply_change(std::string& text, const std::optional<Range>& range, std::string_view new_text,
                  PositionEncoding encoding);

}  // namespace symbols::lsp
