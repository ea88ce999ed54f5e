// The reply to textDocument/documentSymbol: DocumentSymbol[], or SymbolInformation[], the older flat form
// (bash and html servers send it even where the hierarchy is offered), or null. Both are read into a tree;
// the flat one is written for clients that did not declare hierarchicalDocumentSymbolSupport.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/position.h"

namespace symbols::lsp {

// LSP's numbers of the kinds of symbols, but for five that nothing here asks for. Servers send others too.
// clangd gives the use of a macro `null`.
struct SymbolKind {
  enum : std::int64_t {
    file = 1,
    module,
    namespace_,
    package,
    class_,
    method,
    property,
    field,
    constructor,
    enum_,
    interface,
    function,
    variable,
    constant,
    object = 19,
    null = 21,
    enum_member,
    struct_,
    event,
    operator_,
    type_parameter
  };
};

inline bool is_type_kind(std::int64_t kind) {
  return kind == SymbolKind::class_ || kind == SymbolKind::enum_ || kind == SymbolKind::interface ||
         kind == SymbolKind::struct_;
}
inline bool is_function_kind(std::int64_t kind) {
  return kind == SymbolKind::method || kind == SymbolKind::constructor || kind == SymbolKind::function;
}

// One symbol. The tree (SymbolTree) is flat, so that its depth costs no stack. All texts are valid UTF-8.
struct DocumentSymbol {
  std::string name;
  std::string detail{};          // the server's own; empty if there is none
  std::int64_t kind = 0;         // SymbolKind; unknown numbers (ccls's 255) are kept
  Range range;                   // the whole symbol
  Range selection_range;         // its name
  std::int32_t parent = -1;      // its index in SymbolTree::symbols, always a smaller one; -1 at top level
  std::string container_name{};  // of a flat reply, if it names no other symbol; else empty
  std::vector<std::int64_t> tags{};  // LSP's SymbolTag, the deprecated ones
  bool deprecated = false;           // the older boolean member

  bool operator==(const DocumentSymbol&) const = default;
};

// A document's symbols in pre-order: a parent just before its first child, siblings in the server's order.
struct SymbolTree {
  std::vector<DocumentSymbol> symbols;

  bool operator==(const SymbolTree&) const = default;
};

// Decodes the `result` of a documentSymbol reply. `json` starts with the value; what follows it is not read.
// null and [] give an empty tree, SymbolInformation[] that of nest_flat_symbols(), for which `document_text`
// is UTF-8, as sent to the server; empty if unknown. Errors: not JSON, or not of that shape; `fault_offset`,
// unless null, gets the byte of `json` where.
Result<SymbolTree> decode_document_symbols(std::string_view json, std::string_view document_text = {},
                                           std::size_t* fault_offset = nullptr);

// Makes a tree of symbols in the server's order, with the server's `container_name` and a `parent` of -1:
// - Containers that the server names are believed. Of several symbols of that name the parent is, in
//   this order: the innermost around the symbol before it that contains this one; the smallest that contains
//   it (if ranges cross, the one that starts last), of the 256 that start last before it; the innermost
//   around the symbol before it; the last that starts before it; the first after it. A symbol without
//   containerName is then at top level, as is one whose containerName names no other symbol, which keeps it.
// - If the server names none at all (clangd), each symbol is nested in the smallest range that contains its
//   own, of equal ones the latest before it.
// The selection becomes the first occurrence of the name in the range of `document_text`, within its first
// PositionIndex::max_search bytes, else the empty range at its start.
// Nesting takes time of order n log n in the symbols, whatever their names and ranges.
SymbolTree nest_flat_symbols(std::vector<DocumentSymbol> symbols, std::string_view document_text);

// SymbolInformation[] of LSP 3.17, pure ASCII, minified, in pre-order: name, kind, tags, deprecated, location
// (the document's `uri` and the symbol's whole range), and containerName: the parent's name, at top level the
// container that the server named. Empty optional members are left out. It has no member for the selection.
std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri);

// The SymbolKinds 1 to 26 as an array, for a `valueSet`.
inline constexpr std::string_view all_symbol_kinds =
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]";

// Appends `{"start":{"line":…,"character":…},"end":{…}}`.
void append_range_json(std::string& out, const Range& range);

// Appends the members that DocumentSymbol and SymbolInformation have in common: `"kind":…`, and if the symbol
// has them `,"tags":[…]` and `,"deprecated":true`.
void append_kind_members(std::string& out, const DocumentSymbol& symbol);

}  // namespace symbols::lsp
