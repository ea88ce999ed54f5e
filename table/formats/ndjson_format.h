// The `ndjson` format (docs/spec.md, section 2): one JSON object a row, each complete in itself, for DuckDB,
// Spark and jq. The command line alone offers it: a client of the proxy has its path already.
//
//   {"path":"a.ts","row":1,"name":"f","kind":"Method","start_line":4,"start_character":2,"end_line":6,…}
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// Appends `{"path":"…",` or, for an empty path, `{`.
void start_ndjson_line(std::string& out, std::string_view path);

// The rows as lines joined by one newline, none at the end, pure ASCII; the empty text without rows. `path`:
// of each row, empty for none. Every line has the same members, by the view's fields:
//
// - row: always; its place among the document's rows, from 0
// - name, hover, detail, signature, doc: strings, null where empty; a name is never null
// - kind: LSP's word, or its number as a string; whatever kind_names
// - range: start_line, start_character, end_line, end_character, which count from 0, as LSP's
// - selection: the same four, with selection_ before them
// - parent: the parent's `row`, null at top level
// - lines: first_line, last_line, which count from 1
// - depth, children: numbers
// - tags: an array of numbers
//
// and `container` only where the name of a row's container is that of no row.
std::string write_ndjson(const SymbolRows& rows, const View& view, std::string_view path);

// The rows of one document. Members may be in any order, unknown ones are skipped; name, kind, range and
// parent or depth must be there. Lines that only have diagnostics, and empty ones, are skipped. Errors, with
// line and column: something else than such an object, rows that are not in pre-order, a second path, a line
// about a file that failed.
Result<SymbolRows> read_ndjson(std::string_view text);

}  // namespace symbols::table
