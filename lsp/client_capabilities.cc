#include "lsp/client_capabilities.h"

namespace symbols::lsp {

#define SYMBOL_KINDS "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]"

std::string_view client_capabilities() {
  return "{"
         R"("general":{"positionEncodings":["utf-16"]},)"
         R"("textDocument":{)"
         R"("synchronization":{},)"
         R"("documentSymbol":{"hierarchicalDocumentSymbolSupport":true,)"
         R"("symbolKind":{"valueSet":)" SYMBOL_KINDS R"(},"tagSupport":{"valueSet":[1]}},)"
         R"("hover":{"contentFormat":["markdown","plaintext"]},)"
         R"("references":{},"callHierarchy":{},"diagnostic":{},)"
         R"("publishDiagnostics":{}},)"
         R"("window":{"workDoneProgress":true,"showMessage":{}},)"
         R"("workspace":{"configuration":true,"workspaceFolders":true,)"
         R"("symbol":{"symbolKind":{"valueSet":)" SYMBOL_KINDS "}}}}";
}

std::string_view all_symbol_kinds() {
  return SYMBOL_KINDS;
}

#undef SYMBOL_KINDS

}  // namespace symbols::lsp
