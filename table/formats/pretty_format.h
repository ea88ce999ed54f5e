// The format for people at a terminal: aligned columns, hierarchy by indentation, kinds as words, colour.
// Only the command line offers it (docs/spec.md, section 2); it is not read back. And the width of text, by
// which it is cut and wrapped (display_width.cc).
//
//   23-26  Function     calculateArea          function calculateArea(width: number, height: number): num…
//   24     Variable       area                 const area: number
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "table/diagnostics_text.h"
#include "table/rows.h"

namespace symbols::table {

// The columns of `text`, which is UTF-8 without control characters; an invalid byte counts as one. Each
// character counts by itself, as in wcwidth(3): terminals do not agree on sequences such as an emoji with a
// joiner, and this is never less than what they take.
std::size_t display_width(std::string_view text);

// Length in bytes of the longest start of `text` that takes at most `columns`: whole characters, with the
// combining ones that follow.
std::size_t prefix_of_width(std::string_view text, std::size_t columns);

struct PrettyStyle {
  std::size_t width = 0;  // the most columns of a line; 0: any number
  bool colour = false;
};

// Breaks the lines of `out` from byte `start` on at spaces, so that they have at most `width` columns; 0: any
// number. What follows a break is indented by two spaces. A wider word stays whole, to be copied.
void wrap_lines(std::string& out, std::size_t start, std::size_t width);

// `line`, whose only control characters are tabs (to every eighth column), ended by `…` where it has more
// than `width` columns; 0: any number.
std::string cut_to_width(std::string_view line, std::size_t width);

// The columns for an answer that did not ask for any by name: lines, kind, name, then the texts among
// `fields`. Lines and kind only if `fields` has them, or the range.
std::vector<Field> pretty_fields(const std::vector<Field>& fields);

// One line per row with the fields that `view` shows, in its order (docs/spec.md, section 2, "pretty"); kinds
// are words whatever `view` has. A name is indented by at most a third of the width; its `+N` also counts the
// direct children that a limit left out. Next to name and kind, a hover is shown without `class Circle`
// before its documentation and without `(method) Circle.` before a member's name. A hover, signature, doc or
// detail is left out if only a few columns of it would be seen. Valid UTF-8, no newline at the end.
std::string write_pretty(const SymbolRows& rows, const View& view, PrettyStyle style);

// The diagnostics of a document, after its rows; no newline at the end; empty if none were requested:
//
//   2 of 7 diagnostics:
//   1:14  error  Use of undeclared identifier 'undeclared'  clang undeclared_var_use
//
// Messages are whole, in one line, whatever the width.
std::string write_pretty_diagnostics(const Diagnostics& part, PrettyStyle style);

}  // namespace symbols::table
