// The `packed` format (docs/spec.md, section 2): minified JSON for programs, every string once, positions as
// bare numbers.
//
//   {"v":"2.0","strings":["f","int f()"],"symbols":[[0,12,1,4,3,1,1,8,1,9,-1,1]]}
//
// A symbol's elements, in this order:
//
//   0      name        index into `strings`
//   1      kind        LSP's number; with `kind_names` the word as a JSON string, if there is one
//   2-5    range       start line, start character, end line, end character
//   6-9    selection   likewise
//   10     parent      index into `symbols`, smaller than the symbol's own; -1 at top level
//   11     hover       index into `strings`; -1 if there is none
//
// These twelve are always there. Further members, each only if it is not empty:
//
//   "fields"       names of further fields (field.h); each symbol has an element for each after the
//                  twelve, in this order: for depth and children a number, for tags an array of numbers,
//                  for the others an index into `strings` or -1
//   "omitted"      names of fields among the first eleven elements that were not requested. In their
//                  place is a filler: -1 (name, parent), 0 (kind, range), or the empty range at the
//                  range's start (selection)
//   "containers"   [[symbol, string], …]: container names that match no row (lsp::DocumentSymbol)
//   "truncated"    what a budget left out (budget.h)
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/field.h"
#include "table/rows.h"

namespace symbols::table {

inline constexpr std::string_view packed_version = "2.0";

// Those that go into `omitted`. A hover that was not requested does not: -1 is enough.
inline constexpr std::array packed_row_fields = {Field::name, Field::kind, Field::range, Field::selection,
                                                 Field::parent};

// Whether the field is among the first twelve elements.
constexpr bool is_packed_element(Field field) {
  return field <= Field::hover;
}

// The rows as one line of pure ASCII without a newline at its end. `notice`, if not empty, is the text of the
// member `truncated`. Invalid bytes of UTF-8 become U+FFFD.
std::string write_packed(const SymbolRows& rows, const View& view, std::string_view notice = {});

// The rows of a packed text: read_packed(write_packed(rows, view)) gives what the view shows of `rows`, of
// further fields detail, tags, and signature and doc as hover_parts. It needs name, kind, range, and parent
// or depth. An omitted selection becomes the empty range at the range's start, and is in `lacking`. Rows have
// hovers if at least one hover is not empty. Members may be in any order, unknown ones are skipped.
//
// Errors: not JSON; another version; a member or an element of the wrong type or missing; an invalid index;
// symbols out of pre-order; a required field omitted. The message has line and column, both from 1, and the
// element, as in `symbols[5][10] (parent)`.
Result<SymbolRows> read_packed(std::string_view text);

}  // namespace symbols::table
