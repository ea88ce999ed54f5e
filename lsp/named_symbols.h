// Finds the symbols of a document that a person means by a name.
#pragma once

#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::lsp {

struct NamedSymbols {
  // The one that is meant; several if they are different things. Empty: nothing has the name.
  std::vector<const DocumentSymbol*> found;
  // Those that have the name as well and were passed over.
  std::vector<const DocumentSymbol*> others;
};

// Symbols called exactly `name`; without any those whose qualified name ends in it: `Open` and `Table::Open`
// find the row `Table::Open`, and Open within Table. `::` and `.` separate; `(*T).M` is `T.M`. Of these:
// - The outermost: a class before its constructors.
// - Of those with the same qualified name one for each thing. A type goes before all others (TypeScript
// merges
//   an interface and the const of its name); else functions whose `detail` differs are different (overloads).
//   Of declarations of one thing the longest, usually the definition.
// In the tree's order; pointers into it. Time n·log n in the tree.
NamedSymbols symbols_named(const SymbolTree& tree, std::string_view name);

// Up to `most` names that `name` may be a slip of, the nearest first, each once: other case, or few letters
// missing, added, changed.
std::vector<const DocumentSymbol*> symbols_nearly_named(const SymbolTree& tree, std::string_view name,
                                                        std::size_t most);

}  // namespace symbols::lsp
