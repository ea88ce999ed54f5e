// What a server offers of the requests that the context of a symbol is made of: one that it does not offer is
// not asked for, and told by name.
#pragma once

#include <string_view>

namespace symbols::lsp {

struct ServerProviders {
  bool references = false;
  bool call_hierarchy = false;
  bool diagnostics = false;  // textDocument/diagnostic, which is not what it publishes by itself

  // The result of initialize, raw JSON: its capabilities (LSP 3.17, "ServerCapabilities").
  static ServerProviders of_initialize(std::string_view result);
  // The params of client/registerCapability: what the server offers from now on. One that is unregistered
  // later counts as offered still: to ask costs an error that is told.
  void add_registrations(std::string_view params);
};

}  // namespace symbols::lsp
