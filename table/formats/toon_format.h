// The `toon` format (docs/spec.md, section 2): the rows as one tabular array of TOON, by its specification
// 4.0 (github.com/toon-format/spec, sections 5 to 9 and 12), which any TOON decoder reads.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// `symbols[N]{name,kind,range,…}:` and a line per row of the fields that `view` shows, in its order, indented
// by two spaces; lines joined by one newline, none at the end; valid UTF-8. Kinds, depths and children are
// numbers, everything else strings; a number beyond 2^53, which JavaScript would round, is a string. In
// strings control characters, U+2028, U+2029 and the bidirectional controls are `\n`, `\r`, `\t` or `\uHHHH`.
//
// A parent is its name. If that would resolve to another row by the rule of section 2, or ends like a mark,
// the table's mark follows in the same string: `C\^0`, with the depth of the parent; and `std\^` for a
// container_name that names no row although the rule finds one.
//
// `notice`, if not empty, is the string of a member `truncated` after the rows.
std::string write_toon(const SymbolRows& rows, const View& view, std::string_view notice = {});

// The rows of such a text: read_toon(write_toon(rows, view)) gives `rows` back, except what its columns do
// not hold. Which columns there must be is as in read_table, but for EOL. Also accepted is output of other
// encoders: other delimiters (tab, `|`), indentation, comments, CR LF, `symbols: []`; a member `truncated`
// after the rows is skipped.
//
// Errors: invalid TOON, or another shape; a wrong number of rows; columns and cells as in read_table. The
// message has line and column (in characters), both from 1.
Result<SymbolRows> read_toon(std::string_view text);

}  // namespace symbols::table
