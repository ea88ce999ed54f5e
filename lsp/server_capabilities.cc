#include "lsp/server_capabilities.h"

#include "lsp/json/json_document.h"

namespace symbols::lsp {
namespace {

struct Provider {
  std::string_view member;  // of the capabilities
  std::string_view method;  // when it is registered later
  bool ServerCapabilities::*offered;
};

constexpr Provider providers[] = {
    {"documentSymbolProvider", "textDocument/documentSymbol", &ServerCapabilities::document_symbol},
    {"hoverProvider", "textDocument/hover", &ServerCapabilities::hover},
    {"referencesProvider", "textDocument/references", &ServerCapabilities::references},
    {"callHierarchyProvider", "textDocument/prepareCallHierarchy", &ServerCapabilities::call_hierarchy},
    {"workspaceSymbolProvider", "workspace/symbol", &ServerCapabilities::workspace_symbol},
    {"diagnosticProvider", "textDocument/diagnostic", &ServerCapabilities::diagnostics},
};

}  // namespace

Result<ServerCapabilities> ServerCapabilities::of_initialize(std::string_view result) {
  const Result<rapidjson::Document> document = parse_json(result);
  if (!document) return document.error();
  const rapidjson::Value* capabilities = member(*document, "capabilities");
  if (capabilities == nullptr || !capabilities->IsObject()) {
    return Error{"the reply to initialize has no capabilities", {}};
  }
  ServerCapabilities read;
  for (const Provider& provider : providers) {
    const rapidjson::Value* value = member(*capabilities, provider.member);
    read.*provider.offered = value != nullptr && !value->IsFalse() && !value->IsNull();
  }
  const rapidjson::Value* encoding = member(*capabilities, "positionEncoding");
  if (encoding == nullptr) encoding = member(*document, "offsetEncoding");  // clangd, before LSP 3.17
  if (encoding != nullptr) {
    read.position_encoding = position_encoding_called(text_of(*encoding)).value_or(PositionEncoding::utf16);
  }
  return read;
}

void ServerCapabilities::add_registrations(std::string_view params) {
  const Result<rapidjson::Document> document = parse_json(params);
  const rapidjson::Value* registrations = document ? member(*document, "registrations") : nullptr;
  if (registrations == nullptr || !registrations->IsArray()) return;
  for (const rapidjson::Value& registration : registrations->GetArray()) {
    const std::string method = text_member(registration, "method");
    for (const Provider& provider : providers) {
      if (method == provider.method) this->*provider.offered = true;
    }
  }
}

}  // namespace symbols::lsp
