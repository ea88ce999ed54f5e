// The `json` format where it is built anew (docs/spec.md, section 2): LSP's own DocumentSymbol[]. As a
// proxy's reply to its client the server's bytes pass instead, unless options changed the rows. Read back,
// also with the hover replies that belong to it, and faults of JSON by line and column.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as DocumentSymbol[] (LSP 3.17, "Document Symbols Request"), minified, pure ASCII (`\uXXXX`).
// Members: name, detail if not empty, kind, tags if any, deprecated if true, range, selectionRange, children,
// which some clients need to be present and is an empty array on leaves. Where the view shows the hover a
// row's hover, unless empty, stands in `detail` in place of the server's; nothing else of the view counts, as
// LSP defines the members of a DocumentSymbol and its kind is a number. An unresolved container_name is left
// out: no member of DocumentSymbol can hold it.
std::string write_json(const SymbolRows& rows, const View& view);

// The rows of a DocumentSymbol[], or of the older SymbolInformation[], whose nesting is rebuilt; null is no
// rows. They have no hovers: `detail` is read as a detail, whatever wrote it. Errors: not JSON, not of
// that shape, or more behind it; the message has line and column, both from 1.
Result<SymbolRows> read_json(std::string_view text);

// Rows from recorded replies of a server: a documentSymbol reply and the hover replies that belong to it
// (`symbols convert --hovers FILE`).
//
// `symbols`: the result of a documentSymbol request, in any of its forms. `hovers`: a JSON array of the
// results of one hover request for each symbol, in pre-order, null where the server had none. Without it the
// rows have no hovers. With it they have the flattened hovers, cut to `hover_chars` Unicode scalar values (0
// for no limit), and both parts of each, as if the server had been asked.
//
// Errors: JSON that is invalid or of another shape, with line and column, both from 1; a number of hovers
// that differs from that of the symbols, with both numbers.
Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars = default_hover_characters);

// Faults of JSON that a person may have written, edited or cut are reported by line and column, as editors
// count them.
//
// The error "cannot read <what> at line 3, column 7: <reason>". `offset` is in bytes of `text`; lines end at
// LF, columns count characters, both from 1.
Error unreadable(std::string_view what, std::string_view text, std::size_t offset, std::string_view reason);

// The error where `json` is no JSON value, or where anything but white space follows the value; none where
// all is well. A lone surrogate is well, as servers send them. Takes linear time; nesting costs no stack.
std::optional<Error> json_fault(std::string_view what, std::string_view json);

}  // namespace symbols::table
