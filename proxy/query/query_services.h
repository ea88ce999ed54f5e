// What the queries about a server's documents share: the server, and what is known of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lsp/recent_diagnostics.h"
#include "lsp/reply.h"
#include "lsp/server_capabilities.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// All of it outlives the queries.
struct QueryServices {
  lsp::RequestSender& server;
  HoverScheduler& hovers;
  relay::Timers& timers;
  Texts text;
  std::function<void(const std::string& message)> warn;
  // What the server's replies would have cost the client, for --stats; may be empty.
  std::function<void(std::string_view replied)> count;
  lsp::ServerCapabilities capabilities{};       // what it does not offer it is not asked for
  lsp::RecentDiagnostics* published = nullptr;  // null where nobody keeps what the server publishes
};

}  // namespace symbols::query
