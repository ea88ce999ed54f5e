// The reply to textDocument/documentSymbol: DocumentSymbol[] or SymbolInformation[] or null, decoded in one
// place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/position.h"

namespace symbols::lsp {

// LSP's numbers of the kinds of symbols. Servers send others too. clangd gives the use of a macro `null`.
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
    string,
    number,
    boolean,
    array,
    object,
    key,
    null,
    enum_member,
    struct_,
    event,
    operator_,
    type_parameter
  };
};

// One symbol. The tree is kept flat (SymbolTree), so that its depth costs no stack. All texts are valid
// UTF-8.
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

// A document's symbols in pre-order: a parent directly before its first child, siblings in the server's
// order.
struct SymbolTree {
  std::vector<DocumentSymbol> symbols;

  bool operator==(const SymbolTree&) const = default;
};

// Decodes the `result` of a documentSymbol reply. `json` starts with the value; what follows it is not read.
// null and [] give an empty tree. For SymbolInformation[] the nesting is rebuilt from containerName and, if a
// server gives none, from containment; each selection becomes the first occurrence of the name in the range
// of `document_text` (UTF-8, as sent to the server; empty if unknown), else the empty range at its start.
// Errors: not JSON, or not of that shape; `fault_offset`, unless null, gets the byte of `json` where.
Result<SymbolTree> decode_document_symbols(std::string_view json, std::string_view document_text = {},
                                           std::size_t* fault_offset = nullptr);

}  // namespace symbols::lsp
