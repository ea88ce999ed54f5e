// The `tree` format (docs/spec.md, section 2): one short line per row, nested by spaces; everything in the
// table, at less than half its tokens.
//
//   presentAssistantMessage f79:0-742:1@22 async function presentAssistantMessage(): Promise<void>
//    countLines f24:8-28:3
//
//   row       := indent name " " place (" " hover)? ("\t" key "=" text)*
//   indent    := one space for each level; `\^D ` at level D, if that is above 100
//   place     := kind (range | lines)? ("@" selection?)?
//   kind      := letter | word | "<" number ">"
//   range     := line:start-end | startLine:start-endLine:end
//   lines     := line | first-last
//   selection := column | column-end | line:column | range
//
// A kind is `f`, with kind_names `Function`, and `<255>` if LSP has none. A range has a colon and is
// zero-based, as in LSP; lines have none and are one-based, both included. A selection without a line is on
// the first line of the range.
//
// Every number is absolute. A selection without an end is as long as the name (in UTF-16 units). Without a
// selection, it is at the range's start; a bare `@` makes it the whole range. `?` replaces something that is
// not shown: for a name (an empty one too), a kind, a selection beside a range (`@?`).
//
// Texts are escaped as in section 2. In a name a space is escaped only where it would start or end the name
// (at its start, or before text that looks like a place). A name that would look like another line of an
// answer (`# …`, `==> …`), or that is `?`, gets a backslash before it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as a tree: lines joined by one newline, none at the end, no header; valid UTF-8. Without rows the
// text is empty.
//
// `view` selects the fields, not their order. The nesting always shows the parent; with `parent` an
// unresolved container_name is a key `in`. Exactly name, kind and range (verbosity `minimal`) give lines
// instead of ranges. `detail`, `signature`, `doc`, `depth`, `children`, `tags` and, beside a range, `lines`
// are keys at the row's end; empty ones and 0 children are left out.
std::string write_tree(const SymbolRows& rows, const View& view);

// The rows of a tree. Everything that the view showed reads back, except derived fields (`lines` beside a
// range, `depth`, `children`), which are skipped; `signature` and `doc` become hover_parts. Fields that were
// not shown get defaults: an empty name; kind 0; an empty selection at the range's start; the selection as
// range, else an empty range at 0:0. Lines 25-29 are the range 24:0-28:0, which gives the same lines again.
// `with_hover` is set if at least one row has a hover; `lacking` has kind, range, selection and lines (which
// a range implies) if at least one row does not show it.
//
// Also accepted: one newline at the end, CR LF line ends, and as the last line a budget's notice (`#
// truncated: …`), which is skipped. Errors: a row of another form, or two levels below the previous one. The
// message has line and column (in characters), both from 1, and what was expected there.
Result<SymbolRows> read_tree(std::string_view text);

}  // namespace symbols::table
