// Documents made from a seed, and positions in them found by counting one character after another: the
// reference for the optimised readers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lsp/position_encoding.h"
#include "lsp/range.h"
#include "tests/dice.h"

namespace symbols::lsp {

// Characters of every length in UTF-8 and every kind of line end, up to `most` of them; in half of the
// documents the lines are long.
std::string any_document(Dice& dice, std::size_t most);

// Byte offset of a position, as LSP 3.17 defines it.
std::size_t naive_offset(std::string_view text, Position position, PositionEncoding encoding);

// A position in the document, or a little past the end of a line or the document.
Position any_position(Dice& dice, std::string_view text);

}  // namespace symbols::lsp
