#include "lsp/server_providers.h"

#include <optional>

#include "lsp/json/json_edit.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {

ServerProviders ServerProviders::of_initialize(std::string_view result) {
  const std::string_view capabilities = member_value(result, "capabilities").value_or("null");
  const auto offers = [capabilities](std::string_view provider) {
    const auto value = member_value(capabilities, provider);
    return value && *value != "false" && *value != "null";
  };
  return {.references = offers("referencesProvider"),
          .call_hierarchy = offers("callHierarchyProvider"),
          .diagnostics = offers("diagnosticProvider")};
}

void ServerProviders::add_registrations(std::string_view params) {
  const std::string_view registrations = member_value(params, "registrations").value_or("null");
  for_each_element(registrations, [this](std::string_view registration) {
    const auto method = member_value(registration, "method");
    if (method == R"("textDocument/references")") references = true;
    if (method == R"("textDocument/prepareCallHierarchy")") call_hierarchy = true;
    if (method == R"("textDocument/diagnostic")") diagnostics = true;
  });
}

}  // namespace symbols::lsp
