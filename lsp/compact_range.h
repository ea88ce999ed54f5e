// A Range as servers write it, without blanks: three quarters of a documentSymbol reply are ranges, and
// reading each in one go halves the time that decoding takes.
#pragma once

#include <cstddef>
#include <string_view>

#include "lsp/range.h"

namespace symbols::lsp {

// Reads the Range at the start of `json` where it stands there without blanks, without other members and in
// one of the two orders in use: `{"start":{"line":1,"character":2},"end":{…}}`, or by the alphabet as clangd
// does. Gives its length in bytes; 0 where it is written in another way, which says nothing about whether it
// is a Range, and `range` is then unspecified.
std::size_t read_compact_range(std::string_view json, Range& range);

}  // namespace symbols::lsp
