#include "proxy/warm/warm_find.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <system_error>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/symbol_places.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/name_match.h"
#include "proxy/index/symbol_search.h"
#include "proxy/settings/configuration.h"

namespace symbols::warm {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const settings::FindArguments& arguments) {
  std::error_code failure;
  return fs::weakly_canonical(arguments.root.empty() ? fs::path(".") : fs::path(arguments.root), failure);
}

}  // namespace

WarmFind::WarmFind(batch::WarmServers& servers, relay::Timers& timers, runs::RunOutput& output,
                   settings::FindArguments arguments, std::function<void()> on_end)
    : servers_(servers),
      timers_(timers),
      output_(output),
      arguments_(std::move(arguments)),
      on_end_(std::move(on_end)),
      folder_(folder_of(arguments_)),
      near_(folder_),
      waiting_(servers.kept_for(folder_.string())) {}

WarmFind::~WarmFind() {
  servers_.forget(this);
  for (auto& [key, asked] : asked_) {
    asked.request.reset();
    servers_.discard(key, std::move(asked.server));
  }
}

void WarmFind::start() {
  limit_.start(longest_wait, [this] {
    for (const batch::ServerKey& key : std::exchange(waiting_, {})) {
      failures_.push_back(fmt::format("{} is busy with another call", key.first.name));
    }
    while (!asked_.empty())
      failed(batch::ServerKey(asked_.begin()->first), "has not answered and is stopped");
    end_if_all();
  });
  ask_waiting();
}

void WarmFind::ask_waiting() {
  std::erase_if(waiting_, [this](const batch::ServerKey& key) {
    switch (servers_.state(key)) {
      case batch::WarmServers::State::lent:
        return false;
      case batch::WarmServers::State::present:
        ask(key);
        return true;
      default:
        return true;  // it has ended, or what it knows is out of date
    }
  });
  if (!waiting_.empty()) servers_.when_returned(this, [this] { ask_waiting(); });
  end_if_all();
}

void WarmFind::ask(const batch::ServerKey& key) {
  batch::LiveServer server = servers_.borrow(key);
  if (!server.capabilities.workspace_symbol) {
    failures_.push_back(fmt::format("{} does not answer workspace/symbol", key.first.name));
    servers_.give_back(key, std::move(server));
    return;
  }
  server.connection->set_callbacks(
      {.on_failure = [this, key](const Error& error) { failed(key, error.message); },
       .waits_for_symbols = [] { return true; }});
  Asked& asked = asked_[key];
  asked.server = std::move(server);
  asked.request = std::make_unique<query::PendingRequest>(asked.server.connection->session(), timers_);
  // Servers look for a name; what stands before it is compared here.
  const std::string name = lsp::json_string(index::split_name(arguments_.query).name);
  asked.request->send("workspace/symbol", R"({"query":)" + name + '}',
                      [this, key](const lsp::Reply& reply) { answered(key, reply); });
}

void WarmFind::answered(const batch::ServerKey& key, const lsp::Reply& reply) {
  auto symbols = reply.failed ? Error{reply.error.message, {}}
                              : lsp::decode_workspace_symbols(reply.result, most_symbols);
  auto asked = asked_.extract(key);
  if (symbols) {
    answered_by_.push_back(key.first.name);
    for (lsp::WorkspaceSymbol& symbol : symbols->first) {
      std::optional<std::string> path = lsp::file_path(symbol.uri);
      if (!path || !files::contains(key.second, *path)) continue;
      symbols_.push_back({.path = std::move(*path),
                          .name = std::move(symbol.name),
                          .container = std::move(symbol.container_name),
                          .kind = symbol.kind,
                          .line = symbol.line});
    }
  } else {
    failures_.push_back(fmt::format("{}: {}", key.first.name, symbols.error().message));
  }
  servers_.give_back(key, std::move(asked.mapped().server));
  end_if_all();
}

void WarmFind::failed(const batch::ServerKey& key, std::string_view why) {
  failures_.push_back(fmt::format("{}: {}", key.first.name, why));
  auto asked = asked_.extract(key);
  asked.mapped().request.reset();
  servers_.discard(key, std::move(asked.mapped().server));
  end_if_all();
}

void WarmFind::end_if_all() {
  if (!waiting_.empty() || !asked_.empty() || has_ended_) return;
  limit_.start(std::chrono::milliseconds(0), [this] { print(); });
}

void WarmFind::print() {
  has_ended_ = true;
  Result<settings::Configuration> configured = settings::configuration_of(folder_.string());
  if (!configured) output_.tell("note: settings are ignored: " + configured.error().text());
  const index::SymbolQuery query{
      .name = arguments_.query,
      .kinds = arguments_.kinds,
      .limit = arguments_.limit,
      .left_out = configured ? settings::left_out_by(std::move(configured->ignored)) : nullptr};
  const index::SymbolsFound found = index::best_symbols(std::move(symbols_), query);
  for (const std::string& failure : failures_) output_.tell("note: " + failure);
  if (!answered_by_.empty()) {
    if (found.rows.empty()) {
      output_.tell(index::nothing_found_note(query, found));
    } else {
      output_.write(index::found_symbols_text(found.rows, folder_, near_));
    }
    if (found.more) output_.tell(index::more_found_note(arguments_.limit));
    output_.tell(fmt::format(
        "note: there is no index, so these names are from {}, which knows only the files that it has "
        "loaded; for the whole project, run symbols index",
        fmt::join(answered_by_, ", ")));
  } else {
    // All may have gone meanwhile: silence would look like an answer.
    output_.tell("there is no index, and no running server has answered; make an index with: symbols index");
  }
  status_ = found.rows.empty() ? 1 : 0;
  on_end_();
}

}  // namespace symbols::warm
