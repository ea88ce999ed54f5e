#include "lsp/server_capabilities.h"

#include <fmt/format.h>

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
    {"definitionProvider", "textDocument/definition", &ServerCapabilities::definition},
    {"implementationProvider", "textDocument/implementation", &ServerCapabilities::implementation},
    {"callHierarchyProvider", "textDocument/prepareCallHierarchy", &ServerCapabilities::call_hierarchy},
    {"typeHierarchyProvider", "textDocument/prepareTypeHierarchy", &ServerCapabilities::type_hierarchy},
    {"renameProvider", "textDocument/rename", &ServerCapabilities::rename},
    {"diagnosticProvider", "textDocument/diagnostic", &ServerCapabilities::diagnostics},
};

template <class Visit>
void for_each_registration(std::string_view params, std::string_view list_name, Visit visit) {
  const Result<rapidjson::Document> document = parse_json(params);
  if (!document) return;
  for (const rapidjson::Value& one : array_member(*document, list_name))
    visit(text_member(one, "id"), text_member(one, "method"));
}

}  // namespace

Result<ServerCapabilities> ServerCapabilities::of_initialize(std::string_view result) {
  const Result<rapidjson::Document> document = parse_json(result);
  if (!document) return document.error();
  const rapidjson::Value* capabilities = member(*document, "capabilities");
  if (capabilities == nullptr || !capabilities->IsObject())
    return Error{"the reply to initialize has no capabilities", {}};
  ServerCapabilities read;
  for (const Provider& provider : providers) {
    const rapidjson::Value* value = member(*capabilities, provider.member);
    read.*provider.offered = value != nullptr && !value->IsFalse() && !value->IsNull();
  }
  const rapidjson::Value* encoding = member(*capabilities, "positionEncoding");
  if (encoding == nullptr) encoding = member(*document, "offsetEncoding");  // clangd, before LSP 3.17
  const std::string name = encoding != nullptr ? text_of(*encoding) : "";
  if (name == "utf-8") read.position_encoding = PositionEncoding::utf8;
  if (name == "utf-32") read.position_encoding = PositionEncoding::utf32;
  return read;
}

void ServerCapabilities::add_registrations(std::string_view params) {
  for_each_registration(params, "registrations", [this](const std::string&, std::string_view method) {
    for (const Provider& provider : providers) {
      if (method == provider.method) this->*provider.offered = true;
    }
  });
}

void Registrations::add(std::string_view params) {
  for_each_registration(params, "registrations", [this](std::string id, std::string method) {
    if (id.size() > max_id || method.empty() || method.size() > max_id) return;
    if (methods_.size() < max_count || methods_.contains(id)) methods_[std::move(id)] = std::move(method);
  });
}

// The protocol misspells the member's name (LSP 3.17, "Unregister Capability"); some servers correct it.
void Registrations::remove(std::string_view params) {
  for (const char* const name : {"unregisterations", "unregistrations"}) {
    for_each_registration(params, name,
                          [this](const std::string& id, const std::string&) { methods_.erase(id); });
  }
}

std::string Registrations::take_unregistration() {
  if (methods_.empty()) return {};
  std::string list;
  for (const auto& [id, method] : methods_) {
    list += fmt::format(R"({}{{"id":{},"method":{}}})", list.empty() ? "" : ",", json_string(id),
                        json_string(method));
  }
  methods_.clear();
  return R"({"unregisterations":[)" + list + "]}";
}

}  // namespace symbols::lsp
