// Rows that no server should send, made from a seed: the same ones on every run.
#pragma once

#include <cstddef>
#include <string>

#include "table/rows.h"
#include "tests/dice.h"

namespace symbols::table {

// A text, valid UTF-8, out of pieces that mean something to a format or to a terminal: delimiters,
// backslashes, marks, control and bidirectional characters, header words, nothing at all, 20,000 characters.
std::string hostile_text(Dice& dice);

// Up to about 30 rows: few names, repeated at all levels; children outside their parents; equal, reversed and
// huge ranges; kinds that LSP does not know; unresolved container names; hovers in half of the cases.
SymbolRows hostile_rows(Dice& dice);

// Gives half of the rows a hostile `detail`, and some of them tags.
void add_details(Dice& dice, SymbolRows& rows);

// A tree of `depth` rows each of which is the only child of the one before.
lsp::SymbolTree chain(std::size_t depth, std::string (*name)(std::size_t), lsp::Range (*range)(std::size_t));

}  // namespace symbols::table
