// The `tree` format (docs/spec.md, section 2): one short line per row, nested by blanks; everything that the
// table says, at less than half its tokens.
//
//   presentAssistantMessage f79:0-742:1@22 async function presentAssistantMessage(): Promise<void>
//    countLines f24:8-28:3
//
//   row       := indent name " " place (" " hover)? ("\t" key "=" text)*
//   indent    := one blank for each level; `\^D ` at level D, where that is beyond 100
//   place     := kind (range | lines)? ("@" selection?)?
//   kind      := letter | word | "<" number ">"
//   range     := line:start-end | startLine:start-endLine:end
//   lines     := line | first-last
//   selection := column | column-end | line:column | range
//
// A kind is `f`, with kind_names `Function`, and `<255>` where LSP has none. A range has a colon and is
// zero-based, as LSP counts; lines have none and are one-based, both included. A selection that names no line
// is on the range's first one.
//
// Every number is absolute. A selection without an end is as long as the name (in UTF-16 units). None: it
// stands at the range's start, and a bare `@` makes it the whole range. `?` stands where something is not
// shown: for a name (an empty one too), a kind, a selection beside a range (`@?`).
//
// Texts are escaped as section 2 says. In a name a blank is escaped only where it would lead in or end the
// name (at its start, or before what looks like a place); a name that would look like another line of an
// answer (`# …`, `==> …`), or that is a `?`, has a backslash before it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows as a tree: lines joined by one newline, none at the end, no header; valid UTF-8. No rows are the
// empty text.
//
// Of `view` it is asked which fields are shown, not their order. `parent` is what the nesting shows in any
// case; with it an unresolved container_name is a key `in`. Exactly name, kind and range (verbosity
// `minimal`) give lines in place of ranges. `detail`, `signature`, `doc`, `depth`, `children`, `tags` and,
// beside a range, `lines` are keys at the row's end; where empty or 0 children they are left out.
std::string write_tree(const SymbolRows& rows, const View& view);

// The rows of a tree: all that the view showed reads back, except what follows from the rest (`lines` beside
// a range, `depth`, `children`), which is skipped; `signature` and `doc` become hover_parts. What was not
// shown: an empty name; kind 0; a selection that is empty at the range's start; a range that is the
// selection, else empty at 0:0. Lines 25-29 are the range 24:0-28:0, which gives the same lines again.
// `with_hover` is set where at least one row has a hover, `lacking` has kind, range, selection
// and lines (which a range tells too) where at least one row does not show it.
//
// Also read: one newline at the end, lines ended by CR LF, and as the last line the notice of a budget
// (`# truncated: …`), which is skipped. Errors: a row that is not of the form above, or two levels below the
// one before. The message says line and column (in characters), both from 1, and what was expected there.
Result<SymbolRows> read_tree(std::string_view text);

}  // namespace symbols::table
