// The `tsv` format (docs/spec.md, section 2): a header line of field names, then rows separated by tabs, for
// spreadsheets, awk and cut.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// The rows with the fields that `view` shows, in its order; lines joined by one newline, none at the end;
// valid UTF-8. A parent is written as in the table, with `\^D` if its name alone would resolve to another
// row. Nothing is quoted: a tab, newline or backslash in a cell is `\t`, `\n`, `\\`.
std::string write_tsv(const SymbolRows& rows, const View& view);

// The rows of such a text: read_tsv(write_tsv(rows, view)) gives `rows` back, except what its columns do not
// hold. Which columns there must be, but for EOL, and the errors are as in read_table. Also accepted: one
// newline at the end, CR LF line ends. A last line `# truncated: …` is skipped.
Result<SymbolRows> read_tsv(std::string_view text);

}  // namespace symbols::table
