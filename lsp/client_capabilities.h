// The capabilities that we declare to a server in `initialize`, and why.
#pragma once

#include <string_view>

namespace symbols::lsp {

// ClientCapabilities as JSON text, pure ASCII:
// - hierarchicalDocumentSymbolSupport: without it clangd's containerName is empty and gopls drops children.
// - The symbol kinds 1 to 26 in both value sets: clangd reads workspace.symbol's, and without it turns
//   Struct into Class and EnumMember into Enum.
// - contentFormat Markdown first: without it clangd's hover is plain text with the signature last.
// - UTF-16 only: the unit of the tables.
// - workspace.configuration, workDoneProgress: servers then send these requests, which are answered, and
//   report what they are loading.
// - No dynamicRegistration: providers are then in the reply to initialize.
std::string_view client_capabilities();

// The SymbolKinds 1 to 26 as a JSON array, for a `valueSet`.
std::string_view all_symbol_kinds();

}  // namespace symbols::lsp
