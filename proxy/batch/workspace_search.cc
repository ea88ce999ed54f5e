#include "proxy/batch/workspace_search.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"

namespace symbols::batch {

WorkspaceSearch::WorkspaceSearch(WarmServers& servers, relay::Timers& timers, const std::string& folder,
                                 std::string_view query, std::function<void(WorkspaceSymbols)> on_end)
    : servers_(servers), timers_(timers), on_end_(std::move(on_end)), waiting_(servers.kept_for(folder)) {
  params_ = R"({"query":)";
  lsp::append_json_string(params_, query);
  params_ += '}';
}

WorkspaceSearch::~WorkspaceSearch() {
  timers_.cancel(limit_);
  servers_.forget(this);
  for (auto& [key, asked] : asked_) {
    asked.request.reset();
    servers_.discard(key, std::move(asked.server));
  }
}

void WorkspaceSearch::start() {
  limit_ = timers_.later(longest_wait, [this] {
    for (const ServerKey& key : std::exchange(waiting_, {})) {
      found_.failures.push_back(fmt::format("{} is busy with another call", key.first.name));
    }
    while (!asked_.empty()) failed(ServerKey(asked_.begin()->first), "has not answered and is stopped");
    end_if_all();
  });
  ask_waiting();
}

void WorkspaceSearch::ask_waiting() {
  std::erase_if(waiting_, [this](const ServerKey& key) {
    switch (servers_.state(key)) {
      case WarmServers::State::lent:
        return false;
      case WarmServers::State::present:
        ask(key);
        return true;
      default:
        return true;  // it has ended, or what it knows is out of date
    }
  });
  if (!waiting_.empty()) servers_.when_returned(this, [this] { ask_waiting(); });
  end_if_all();
}

void WorkspaceSearch::ask(const ServerKey& key) {
  LiveServer server = servers_.borrow(key);
  if (!server.capabilities.workspace_symbol) {
    found_.failures.push_back(fmt::format("{} does not answer workspace/symbol", key.first.name));
    servers_.give_back(key, std::move(server));
    return;
  }
  server.connection->set_callbacks(
      {.on_ready = [](const lsp::ServerCapabilities&) {},
       .on_failure = [this, key](const Error& error) { failed(key, error.message); },
       .on_stopped = [] {},
       .waits_for_symbols = [] { return true; }});
  Asked& asked = asked_[key];
  asked.server = std::move(server);
  asked.request = std::make_unique<query::PendingRequest>(asked.server.connection->session(), timers_);
  asked.request->send("workspace/symbol", params_,
                      [this, key](const lsp::Reply& reply) { answered(key, reply); });
}

void WorkspaceSearch::answered(const ServerKey& key, const lsp::Reply& reply) {
  auto symbols = reply.failed ? Error{reply.error.message, {}}
                              : lsp::decode_workspace_symbols(reply.result, most_symbols);
  auto asked = asked_.extract(key);
  if (symbols) {
    found_.servers.push_back(key.first.name);
    for (lsp::WorkspaceSymbol& symbol : symbols->first) {
      std::optional<std::string> path = lsp::file_path(symbol.uri);
      if (path && files::contains(key.second, *path))
        found_.found.push_back({std::move(*path), std::move(symbol)});
    }
  } else {
    found_.failures.push_back(fmt::format("{}: {}", key.first.name, symbols.error().message));
  }
  servers_.give_back(key, std::move(asked.mapped().server));
  end_if_all();
}

void WorkspaceSearch::failed(const ServerKey& key, std::string_view why) {
  found_.failures.push_back(fmt::format("{}: {}", key.first.name, why));
  auto asked = asked_.extract(key);
  asked.mapped().request.reset();
  servers_.discard(key, std::move(asked.mapped().server));
  end_if_all();
}

void WorkspaceSearch::end_if_all() {
  if (!waiting_.empty() || !asked_.empty() || !on_end_) return;
  timers_.cancel(limit_);
  limit_ =
      timers_.later(std::chrono::milliseconds(0), [this] { std::exchange(on_end_, {})(std::move(found_)); });
}

}  // namespace symbols::batch
