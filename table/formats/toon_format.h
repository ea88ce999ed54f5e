// The `toon` format (docs/spec.md, section 2): the rows as one tabular array of TOON, by its
// specification 4.0 (github.com/toon-format/spec, sections 5 to 9 and 12), which its decoders read without
// knowing of us.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// `symbols[N]{name,kind,range,…}:` and a line per row of the fields that `view` shows, in its order, indented
// by two blanks; lines joined by one newline, none at the end; valid UTF-8. Kinds, depths and children are
// numbers, all else strings; a number beyond 2^53, which JavaScript would round, is a string. In strings
// control characters, U+2028, U+2029 and the bidirectional controls are `\n`, `\r`, `\t` or `\uHHHH`.
//
// A parent is its name. Where that would mean another row by the rule of section 2, or ends like a mark
// itself, the mark of the table follows it in the same string: `C\^0`, D the depth of the parent; and `std\^`
// for a container_name that names no row though one is found.
std::string write_toon(const SymbolRows& rows, const View& view);

// `text` as a TOON string, in quotes where it needs them: the value of a member (`truncated: …`).
std::string toon_string(std::string_view text);

// The rows of such a text: read_toon(write_toon(rows, view)) gives `rows` back but for what its columns do
// not hold. Columns may stand in any order; a kind is a number or a word. Without `selection` a row gets the
// empty range at its start, without `parent` nesting comes from `depth`. Also read: what other encoders may
// write, delimiters (tab, `|`), indentation, comments, CR LF, `symbols: []`; and a member `truncated` behind
// the rows, which is passed over.
//
// Errors: what is no TOON or of another shape; another number of rows than told; a column or cell that is not
// what it should be, as read_table has them. The message says line and column (in characters), both from 1.
Result<SymbolRows> read_toon(std::string_view text);

}  // namespace symbols::table
