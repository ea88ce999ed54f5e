// The decoder of documentSymbol replies (lsp/document_symbol.h): a tree that keeps its promises, or an error
// that says where; the tree is the same after it was written and read.
// Covers: lsp/document_symbol.cc lsp/symbol_search.cc lsp/symbol_information.cc table/rows.cc
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/symbol_search.h"
#include "lsp/unicode.h"
#include "table/formats/format.h"
#include "table/rows.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::symbols_target {

void check_tree(const lsp::SymbolTree& tree) {
  // The symbol before one and that symbol's ancestors, of which one must be its parent: that is pre-order.
  std::vector<std::int32_t> open;
  for (std::size_t i = 0; i < tree.symbols.size(); ++i) {
    const lsp::DocumentSymbol& symbol = tree.symbols[i];
    for (const std::string* text : {&symbol.name, &symbol.detail, &symbol.container_name})
      valid_utf8(*text, "texts are UTF-8");
    holds(symbol.parent >= -1 && symbol.parent < static_cast<std::int32_t>(i),
          "a parent comes before its children");
    while (!open.empty() && open.back() != symbol.parent) open.pop_back();
    holds(symbol.parent == -1 || !open.empty(), "symbols are in pre-order");
    open.push_back(static_cast<std::int32_t>(i));
  }
}

void symbols(std::string_view data) {
  Input input(data);
  // Before the reply, a document that its names may stand in.
  const std::string_view document = input.flag() ? input.text_until('\n') : std::string_view();
  const std::string_view reply = input.rest();
  std::size_t fault_offset = 0;
  const Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(reply, document, &fault_offset);
  if (!tree) {
    holds(fault_offset <= reply.size(), "a fault is in the reply");
    return;
  }
  check_tree(*tree);

  table::SymbolRows rows = *tree;
  for (lsp::DocumentSymbol& symbol : rows.all) symbol.container_name.clear();
  const table::View view{.fields = table::fields_of(table::Verbosity::full)};
  const std::string written = table::write_json(rows, view);
  const Result<lsp::SymbolTree> again = lsp::decode_document_symbols(written);
  holds(again.has_value(), "what is written is read");
  holds(*again == table::tree_of(rows), "what is written reads back");
  holds(lsp::find_non_ascii(written) == std::string_view::npos, "what is written is ASCII");

  const std::string flat = lsp::write_symbol_information_json(*tree, "file:///a");
  const Result<lsp::SymbolTree> nested = lsp::decode_document_symbols(flat, document);
  holds(nested.has_value() && nested->symbols.size() == tree->symbols.size(),
        "the flat reply has the same symbols");
  check_tree(*nested);

  // Of the levels that are kept none is lost, and what is left out is counted.
  const std::array<table::Levels, 4> levels = {
      table::Levels{table::Levels::Rule::top_level}, table::Levels{table::Levels::Rule::all},
      table::Levels{table::Levels::Rule::automatic},
      table::Levels{table::Levels::Rule::count, std::uint32_t{input.byte()} % 8 + 1}};
  for (const table::Levels& each : levels) {
    const table::SymbolRows limited = table::limit_levels(*tree, each);
    check_tree(table::tree_of(limited));
    std::size_t children = 0;
    for (const std::uint32_t count : table::child_counts(limited)) children += count;
    std::size_t top = 0;
    for (const std::uint32_t depth : table::row_depths(limited)) top += depth == 0 ? 1 : 0;
    holds(children + top >= limited.size(), "children are counted");
  }

  // Each name of a tree is found.
  if (tree->symbols.empty()) return;
  const lsp::DocumentSymbol& some = tree->symbols[input.byte() % tree->symbols.size()];
  const lsp::NamedSymbols named = lsp::symbols_named(*tree, some.name);
  holds(!named.found.empty(), "a symbol is found by its name");
  for (const lsp::DocumentSymbol* symbol : lsp::symbols_nearly_named(*tree, some.name, 3)) {
    holds(symbol >= tree->symbols.data() && symbol < tree->symbols.data() + tree->symbols.size(),
          "a name that is near is of the tree");
  }
}

const Registration registration("symbols", symbols);

}  // namespace symbols::fuzz::symbols_target
