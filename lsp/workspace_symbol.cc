#include "lsp/workspace_symbol.h"

#include <optional>

#include "lsp/json/json_document.h"

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
  if (const std::optional<Range> range = read_range(member(*location, "range")))
    symbol.line = range->start.line;
  return symbol;
}

}  // namespace

Result<ListStart<WorkspaceSymbol>> decode_workspace_symbols(std::string_view json, std::size_t most) {
  if (json.starts_with("null")) return ListStart<WorkspaceSymbol>();
  return read_list(json, most, symbol_of, "the workspace/symbol reply is not a list of symbols");
}

}  // namespace symbols::lsp
