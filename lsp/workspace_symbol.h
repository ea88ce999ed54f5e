// The reply to workspace/symbol: SymbolInformation[] or WorkspaceSymbol[] (LSP 3.17, "Workspace Symbols
// Request").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {

// Strings are valid UTF-8, as the server wrote them.
struct WorkspaceSymbol {
  std::string name;
  std::string container_name;  // empty: none, or not told
  std::string uri;
  std::int64_t kind = 0;
  std::uint32_t line = 0;  // from 0, of the start of its location; 0 where the server gives none

  bool operator==(const WorkspaceSymbol&) const = default;
};

// Decodes the `result`; null is an empty list. `json` starts with the value; what follows it is not read. Of
// a list longer than `most` only its beginning is decoded. Errors: not JSON, or not of that shape.
Result<ListStart<WorkspaceSymbol>> decode_workspace_symbols(std::string_view json, std::size_t most);

}  // namespace symbols::lsp
