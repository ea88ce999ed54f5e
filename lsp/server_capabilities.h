// The server's capabilities that we use: what it does not offer is not requested, and named in the answer.
// And what it has registered at the client later, which is taken back where another server takes its place.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/position.h"

namespace symbols::lsp {

struct ServerCapabilities {
  bool document_symbol = false;
  bool hover = false;
  bool references = false;
  bool definition = false;
  bool implementation = false;
  bool call_hierarchy = false;
  bool type_hierarchy = false;
  bool rename = false;
  bool diagnostics = false;  // textDocument/diagnostic; servers may publish diagnostics without it
  PositionEncoding position_encoding = PositionEncoding::utf16;

  // The result of initialize, raw JSON (LSP 3.17, "ServerCapabilities"; what follows it is not read): any
  // value except false and null offers a provider. Error: it is not JSON, or has no capabilities.
  static Result<ServerCapabilities> of_initialize(std::string_view result);
  // The params of client/registerCapability: what the server offers from now on. A capability that is
  // unregistered later still counts as offered: a request then costs an error, which is reported.
  void add_registrations(std::string_view params);
};

// The capabilities that a server has registered at its client (client/registerCapability), so that they can
// be taken back in its name when it is gone.
class Registrations {
 public:
  // Bounds our memory; what is beyond stays registered. Real servers have some dozens.
  static constexpr std::size_t max_count = 4096;
  static constexpr std::size_t max_id = 256;  // and method

  // The params of client/registerCapability and of client/unregisterCapability, raw JSON.
  void add(std::string_view params);
  void remove(std::string_view params);

  // The params of a client/unregisterCapability for all, which are forgotten; empty if there are none.
  std::string take_unregistration();

 private:
  std::map<std::string, std::string, std::less<>> methods_;  // by id
};

}  // namespace symbols::lsp
