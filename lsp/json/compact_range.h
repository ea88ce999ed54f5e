// A Range as servers write it, without whitespace: three quarters of a documentSymbol reply are ranges, and
// reading each in one go takes 2.5 ms for the 2.6 MB of lib.dom.d.ts where JsonEvents alone takes 4.3
// (bench/render.mjs).
#pragma once

#include <cstddef>
#include <string_view>

#include "lsp/range.h"

namespace symbols::lsp {

// Reads the Range at the start of `json` where it stands there without whitespace, without other members and
// in one of the two orders in use: `{"start":{"line":1,"character":2},"end":{…}}`, or by the alphabet as
// clangd does. Gives its length in bytes; 0 where it is written in another way, which says nothing about
// whether it is a Range, and `range` is then unspecified.
std::size_t read_compact_range(std::string_view json, Range& range);

}  // namespace symbols::lsp
