// Which symbols differ between two texts of a document, by their own text: not by the lines of a diff, which
// move when something above them changes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"

namespace symbols::query {

// How a symbol differs.
enum class Change { removed, renamed, declaration, body, added };

// "removed", …
std::string_view change_word(Change change);

struct ChangedSymbol {
  Change change;
  std::size_t before = 0;  // in the tree before; means nothing of an added one
  std::size_t after = 0;   // in the tree after; means nothing of a removed one
};

struct DocumentChange {
  std::vector<ChangedSymbol> symbols{};  // in the order of the tree after, the removed ones last
  bool outside = false;                  // something outside of all symbols differs, such as an import
};

// A document's symbols with its text, valid UTF-8, in UTF-16 positions.
struct DocumentState {
  const lsp::SymbolTree& tree;
  std::string_view text;
};

// Symbols are the same if their name and parents are: of several of them those with the same text, then those
// of the same kind, then in their order. A symbol that is gone and one that is new are one that was renamed
// if nothing but the name differs. Of the same ones: `declaration` if the text from the start to the body
// differs, `body` if the rest does, without the symbols in it, each of which counts by itself; those in a
// function, a method or a constructor are a part of its body. Of added, removed and renamed symbols those
// inside are not listed. Blanks at the ends of lines make no difference, nor do blank lines outside of
// functions.
DocumentChange changed_symbols(const DocumentState& before, const DocumentState& after);

}  // namespace symbols::query
