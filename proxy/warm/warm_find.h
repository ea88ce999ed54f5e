// `symbols find` where a project has no index: the servers that are kept for it are asked (workspace/symbol).
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/batch/warm_servers.h"
#include "proxy/index/index_store.h"
#include "proxy/query/pending_request.h"
#include "proxy/relay/timers.h"
#include "proxy/runs/run_output.h"
#include "proxy/settings/arguments.h"
#include "proxy/terminal/near_path.h"

namespace symbols::warm {

// Single-threaded.
class WarmFind {
 public:
  // Servers that are silent for longer are stopped.
  static constexpr std::chrono::milliseconds longest_wait{10'000};
  // Of each server.
  static constexpr std::size_t most_symbols = 10'000;

  // The folder is --root, else the present working folder, which later may be another one. Asks each server
  // that is kept for it, or for a folder in it or above it; one that answers another call is waited for.
  // `servers`, `timers` and `output` outlive this. `on_end` is called once all is answered and written to
  // `output`; it may not destroy this.
  WarmFind(batch::WarmServers& servers, relay::Timers& timers, runs::RunOutput& output,
           settings::FindArguments arguments, std::function<void()> on_end);
  // Cancels what is not answered, and ends those servers: a reply to come would be in the way of later calls.
  ~WarmFind();

  // Whether a server is kept that can be asked.
  bool any() const { return !waiting_.empty(); }
  // Once, if any().
  void start();
  int status() const { return status_; }  // the exit status

 private:
  struct Asked {
    batch::LiveServer server;
    std::unique_ptr<query::PendingRequest> request;
  };

  void ask_waiting();
  void ask(const batch::ServerKey& key);
  void answered(const batch::ServerKey& key, const lsp::Reply& reply);
  void failed(const batch::ServerKey& key, std::string_view why);
  void end_if_all();
  void print();

  batch::WarmServers& servers_;
  relay::Timers& timers_;
  runs::RunOutput& output_;
  settings::FindArguments arguments_;
  std::function<void()> on_end_;
  std::filesystem::path folder_;
  terminal::NearPaths near_;
  std::vector<batch::ServerKey> waiting_;
  std::map<batch::ServerKey, Asked> asked_;
  std::vector<index::FoundSymbol> symbols_;  // in the folders that servers are for: libraries are left out
  std::vector<std::string> answered_by_;     // the names of servers
  std::vector<std::string> failures_;        // of the others, for people
  bool has_ended_ = false;
  int status_ = 0;
  relay::Timer limit_{timers_};
};

}  // namespace symbols::warm
