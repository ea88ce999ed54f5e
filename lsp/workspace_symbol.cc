#include "lsp/workspace_symbol.h"

#include <optional>

#include "lsp/json/json_document.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {
namespace {

std::optional<WorkspaceSymbol> symbol_of(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  if (!value) return {};
  const rapidjson::Value* kind = member(*value, "kind");
  const rapidjson::Value* location = member(*value, "location");
  if (kind == nullptr || !kind->IsInt64() || location == nullptr) return {};
  WorkspaceSymbol symbol{.name = text_member(*value, "name"),
                         .container_name = text_member(*value, "containerName"),
                         .uri = text_member(*location, "uri"),
                         .kind = kind->GetInt64()};
  if (symbol.name.empty() || symbol.uri.empty()) return {};
  const rapidjson::Value* range = member(*location, "range");
  if (const auto place = range != nullptr ? read_range(*range) : std::optional<Range>())
    symbol.line = place->start.line;
  return symbol;
}

}  // namespace

Result<std::vector<WorkspaceSymbol>> decode_workspace_symbols(std::string_view json, std::size_t most) {
  std::vector<WorkspaceSymbol> symbols;
  bool understood = true;
  if (!json.starts_with("null")) {
    const auto total = for_each_element(json, [&](std::string_view element) {
      if (symbols.size() == most || !understood) return;
      std::optional<WorkspaceSymbol> symbol = symbol_of(element);
      understood = symbol.has_value();
      if (understood) symbols.push_back(std::move(*symbol));
    });
    understood = understood && total;
  }
  if (!understood) return Error{"the workspace/symbol reply is not a list of symbols", {}};
  return {boost::system::in_place_value, std::move(symbols)};
}

}  // namespace symbols::lsp
