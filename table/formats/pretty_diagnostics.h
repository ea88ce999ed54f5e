// The diagnostics of a document for people: after its rows in the format pretty, and like these counted
// from 1.
#pragma once

#include <string>

#include "table/diagnostics_text.h"
#include "table/formats/pretty_line.h"

namespace symbols::table {

// Lines joined by newlines, none at the end; empty if none were requested:
//
//   2 of 7 diagnostics:
//   1:14  error  Use of undeclared identifier 'undeclared'  clang undeclared_var_use
//
// The place is where the diagnostic starts, as compilers write it. Messages are whole, in one line; so the
// width of the style is not looked at.
std::string write_pretty_diagnostics(const Diagnostics& part, PrettyStyle style);

}  // namespace symbols::table
