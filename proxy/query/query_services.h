// What all queries about a server's documents share: the server, what is known about it, and how they end.
//
// The owner of a query (an object with a `done`) keeps it until `done` is called or the answer is no longer
// wanted: destroying it cancels its requests without a call of `done`. `done` is called once, and may destroy
// the query. Single-threaded.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lsp/recent_diagnostics.h"
#include "lsp/requests.h"
#include "lsp/server_capabilities.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// All that it refers to outlives the queries.
struct QueryServices {
  lsp::RequestSender& server;
  HoverScheduler& hovers;
  relay::Timers& timers;
  Texts text;
  std::function<void(const std::string& message)> warn;
  // What the server's replies would have cost the client, for --stats; may be empty.
  std::function<void(std::string_view replied)> count;
  lsp::ServerCapabilities capabilities{};       // what it does not offer is not requested
  lsp::RecentDiagnostics* published = nullptr;  // null if what the server publishes is not kept
};

}  // namespace symbols::query
