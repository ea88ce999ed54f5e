// A symbol's context as people and models read it: the rows as a tree, lines from 1, short paths. The other
// form, for programs, is write_context's table.
#pragma once

#include <string>

#include "table/context_text.h"

namespace symbols::table {

// The text, valid UTF-8, without a newline at its end; `context.outline_folder` is set. Text from servers and
// files is escaped as there.
//
//   the tree (tree_format.h): name, kind, lines, hover
//   # children 100 of 320                  only if they were cut
//   # hover: why there is none
//   # source 24-27                         then the lines, each after a space; `…, 40 of 67 lines` if it was
//   cut # references 10 of 37                  then `path: line line …`, each line once, in order # callers 1
//   then `name path:line: line line …`, the lines of its calls # diagnostics                          then
//   pretty_diagnostics.h's lines
//
// Paths in the folder are relative to it.
std::string write_context_outline(const SymbolContext& context);

}  // namespace symbols::table
