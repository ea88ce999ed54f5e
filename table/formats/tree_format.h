// The `tree` format (docs/spec.md, section 2, has the grammar and the predictions): everything that the table
// has, in a quarter of its tokens. docs/tree-decoder.mjs reads it in JavaScript.
//
//   f80-743 presentAssistantMessage:0-1@22
//    f25-29 countLines:8-3
//
// A row is a place (the letter of the kind, then lines, which count from 1) and a name. Neighbours without
// children share a row: after a space on the next line, after a comma on the same line. After the name come
// the columns that the symbols before do not predict (tree_columns.h), after a tab the hover, after further
// tabs requested fields as key=text.
//
// The first symbol says what the text has: all its columns if there are ranges (`@?` if there are no
// selections), `:-` if there are only lines.
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
// `view` selects the fields, not their order. The nesting shows `parent` in any case; with `parent`, an
// unresolved container_name is a key `in`. Exactly name, kind and range (verbosity `minimal`) give
// first lines without columns, and the last line of symbols of 20 lines and more, or of all with
// view.all_ends; `lines` without `range` give both lines. `selection` without `range`, `detail`, `signature`,
// `doc`, `depth`, `children`, `tags` and, beside a range, `lines` are keys at the row's end; empty ones and 0
// children are left out. rows.folded is shown in any case.
std::string write_tree(const SymbolRows& rows, const View& view);

// The tree of signatures: what verbosity `signatures` shows, for people and models; nothing reads it back.
// Lines joined by one newline, none at the end; valid UTF-8. No rows are the empty text. The signatures are
// those of rows.hover_parts, or of the details where these hold them (signature_text.h).
std::string write_tree_signatures(const SymbolRows& rows, const View& view);

// The rows of a tree. Everything that the view showed reads back, except derived fields (`lines` beside a
// range, `depth`, `children`), which are skipped; `signature` and `doc` become hover_parts. Fields that were
// not shown get defaults: an empty name; kind 0; an empty selection at the range's start; the selection as
// range, else an empty range at 0:0. Lines 25-29 are the range 24:0-28:0, which gives the same lines again.
// `with_hover` is set if at least one row has a hover; `lacking` has kind, range, selection and lines (which
// a range implies) if at least one row does not show it. A text of `minimal` without all last lines lacks
// lines, but has first_lines.
//
// Also accepted: one newline at the end, CR LF line ends, and as the last line a budget's notice (`#
// truncated: …`), which is skipped. Errors: a row of another form, or two levels below the previous one; a
// text of signatures. The
// message has line and column (in characters), both from 1, and what was expected there.
Result<SymbolRows> read_tree(std::string_view text);

}  // namespace symbols::table
