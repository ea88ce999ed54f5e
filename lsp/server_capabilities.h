// What a server says that it can do, as far as we ask: what it does not offer is not asked for, and told by
// name.
#pragma once

#include <string_view>

#include "base/result.h"
#include "lsp/position_encoding.h"

namespace symbols::lsp {

struct ServerCapabilities {
  bool document_symbol = false;
  bool hover = false;
  bool references = false;
  bool call_hierarchy = false;
  bool diagnostics = false;  // textDocument/diagnostic, which is not what it publishes by itself
  PositionEncoding position_encoding = PositionEncoding::utf16;

  // The result of initialize, raw JSON (LSP 3.17, "ServerCapabilities"; what follows it is not read): a
  // provider is offered by any value but false and null. Error: it is not JSON, or has no capabilities.
  static Result<ServerCapabilities> of_initialize(std::string_view result);
  // The params of client/registerCapability: what the server offers from now on. One that is unregistered
  // later counts as offered still: to ask costs an error that is told.
  void add_registrations(std::string_view params);
};

}  // namespace symbols::lsp
