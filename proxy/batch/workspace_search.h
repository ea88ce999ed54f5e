// workspace/symbol, asked of the servers that are kept for a project.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/workspace_symbol.h"
#include "proxy/batch/warm_servers.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/timer.h"
#include "proxy/relay/timers.h"

namespace symbols::batch {

struct WorkspaceSymbols {
  struct Found {
    std::string path;  // in the folder that its server is for: libraries are left out
    lsp::WorkspaceSymbol symbol;
  };
  std::vector<Found> found;
  std::vector<std::string> servers;   // the names of those that answered
  std::vector<std::string> failures;  // of the others, for people
};

// Single-threaded.
class WorkspaceSearch {
 public:
  // Servers that are silent for longer are stopped.
  static constexpr std::chrono::milliseconds longest_wait{10'000};
  // Of each server.
  static constexpr std::size_t most_symbols = 10'000;

  // Asks for `query` each server that is kept for `folder`, or for a folder in it or above it; one that
  // answers another call is waited for. `servers` and `timers` outlive this. `on_end` is called once, later,
  // unless this is destroyed first; it may not destroy this.
  WorkspaceSearch(WarmServers& servers, relay::Timers& timers, const std::string& folder,
                  std::string_view query, std::function<void(WorkspaceSymbols)> on_end);
  // Cancels what is not answered, and ends those servers: a reply to come would be in the way of later calls.
  ~WorkspaceSearch();

  // Whether there is any server to be asked.
  bool any() const { return !waiting_.empty(); }
  // Once, if any().
  void start();

 private:
  struct Asked {
    LiveServer server;
    std::unique_ptr<query::PendingRequest> request;
  };

  void ask_waiting();
  void ask(const ServerKey& key);
  void answered(const ServerKey& key, const lsp::Reply& reply);
  void failed(const ServerKey& key, std::string_view why);
  void end_if_all();

  WarmServers& servers_;
  relay::Timers& timers_;
  std::string params_;
  std::function<void(WorkspaceSymbols)> on_end_;
  std::vector<ServerKey> waiting_;
  std::map<ServerKey, Asked> asked_;
  WorkspaceSymbols found_;
  query::Timer limit_{timers_};
};

}  // namespace symbols::batch
