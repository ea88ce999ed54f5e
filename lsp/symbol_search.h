// Finds the symbol of a document that a position, a line or a name means. The pointers are into the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

// By place: they take time linear in the tree. Here a range contains the position at its end, too.

// The symbol whose selection contains the position: of several (a macro that opens three namespaces) the
// innermost; null if there is none.
const DocumentSymbol* symbol_at(const SymbolTree& tree, Position position);

// The innermost symbol whose range contains the position, or null.
const DocumentSymbol* innermost_around(const SymbolTree& tree, Position position);

// The symbol that a line means: of the first symbol whose selection starts on it and those inside it, the
// innermost that continues past the line (`namespace a { class B {`: B), else the outermost (`enum E { a, b
// };`: E, not a). Null if no selection starts on the line.
const DocumentSymbol* symbol_on_line(const SymbolTree& tree, std::uint32_t line);

// By name.
struct NamedSymbols {
  // The one that is meant; several if they are different things. Empty: nothing has the name.
  std::vector<const DocumentSymbol*> found;
  // Those that have the name as well and were passed over.
  std::vector<const DocumentSymbol*> others;
};

// Symbols called exactly `name`; without any those whose qualified name ends in it: `Open` and `Table::Open`
// find the row `Table::Open`, and Open within Table. `::` and `.` separate; `(*T).M` is `T.M`. Of these:
// - The outermost: a class before its constructors.
// - Of those with the same qualified name a type (TypeScript merges an interface and the const of its name),
//   else the longest: usually the definition of what others declare, or of overloads the one with most to it.
// In the tree's order.
NamedSymbols symbols_named(const SymbolTree& tree, std::string_view name);

// Up to `most` names that `name` may be a slip of, by case or by a few letters: the nearest first, each once.
std::vector<const DocumentSymbol*> symbols_nearly_named(const SymbolTree& tree, std::string_view name,
                                                        std::size_t most);

}  // namespace symbols::lsp
