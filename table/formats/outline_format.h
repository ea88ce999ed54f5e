// The `outline` format (docs/spec.md, section 2): a plain-text outline for people and chat agents. It is for
// reading only: no range is in it.
//
//   [L80] (f+2) presentAssistantMessage
//     async function presentAssistantMessage(params: PresentAssistantMessageParams): Promise<void>
//     [L25] (f) countLines
#pragma once

#include <string>

#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

// For each row its header: the one-based line of its selection, the letter of its kind (symbol_kind.h; the
// word with kind_names) and how many direct children it has, including those that a limit left out, then its
// name, whatever the fields of `view`. Two spaces per level; levels beyond 100 are indented as the 100th.
//
// Below it one line with what `view` shows of hover (else of signature and doc) and of detail, joined by ` -
// `; no line if both are empty. Texts are escaped as in section 2. A `[` or a space at the start of the
// summary gets a backslash before it, so no summary can look like a header.
//
// Lines are joined by one newline, none at the end; valid UTF-8. Without rows the text is empty.
std::string write_outline(const SymbolRows& rows, const View& view);

}  // namespace symbols::table
