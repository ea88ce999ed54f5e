// The `toon` format (docs/spec.md, section 2): the rows as one tabular array of TOON, by its specification
// 4.0 (github.com/toon-format/spec, sections 4 to 9 and 12), which any TOON decoder reads. Not read back.
#pragma once

#include <string>
#include <string_view>

#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// `symbols[N]{name,kind,range,…}:` and a line per row of the fields that `view` shows, in its order, indented
// by two spaces; lines joined by one newline, none at the end; valid UTF-8. Kinds, depths and children are
// numbers, everything else strings; a number beyond 2^53, which JavaScript would round, is a string. In
// strings control characters, U+2028, U+2029 and the bidirectional controls are `\n`, `\r`, `\t` or `\uHHHH`.
// Strings that hold one of them are in quotes though the specification does not require it, as are those that
// start or end in any Unicode whitespace, which some decoders trim.
//
// A parent is its name. If that would resolve to another row by the rule of section 2, or ends like a mark,
// the table's mark follows in the same string: `C\^0`, with the depth of the parent; and `std\^` for a
// container_name that names no row although the rule finds one.
//
// `notice`, if not empty, is the string of a member `truncated` after the rows.
std::string write_toon(const SymbolRows& rows, const View& view, std::string_view notice = {});

}  // namespace symbols::table
