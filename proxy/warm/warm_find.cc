#include "proxy/warm/warm_find.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>
#include <utility>

#include "proxy/index/found_symbols.h"
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
    : output_(output),
      arguments_(std::move(arguments)),
      on_end_(std::move(on_end)),
      folder_(folder_of(arguments_)),
      near_(folder_),
      // Servers look for a name; what stands before it is compared here.
      search_(servers, timers, folder_.string(), index::split_name(arguments_.query).name,
              [this](batch::WorkspaceSymbols answer) { print(std::move(answer)); }) {}

void WarmFind::print(batch::WorkspaceSymbols answer) {
  std::vector<index::FoundSymbol> symbols;
  for (auto& [path, symbol] : answer.found) {
    symbols.push_back({.path = std::move(path),
                       .name = std::move(symbol.name),
                       .container = std::move(symbol.container_name),
                       .kind = symbol.kind,
                       .line = symbol.line});
  }
  Result<settings::Configuration> configured = settings::configuration_of(folder_.string());
  if (!configured) output_.tell("note: settings are ignored: " + configured.error().text());
  const index::SymbolsFound found = index::best_symbols(
      std::move(symbols),
      {.name = arguments_.query,
       .kinds = arguments_.kinds,
       .limit = arguments_.limit,
       .left_out = configured ? settings::left_out_by(std::move(configured->ignored)) : nullptr});
  for (const std::string& failure : answer.failures) output_.tell("note: " + failure);
  if (!answer.servers.empty()) {
    output_.write(index::found_symbols_text(found.rows, folder_, near_));
    if (found.more) output_.tell(index::more_found_note(arguments_.limit));
    output_.tell(fmt::format(
        "note: there is no index, so these names are from {}, which knows only the files that it has "
        "loaded; for the whole project, run symbols index",
        fmt::join(answer.servers, ", ")));
  } else {
    // All may have gone meanwhile: silence would look like an answer.
    output_.tell("there is no index, and no running server has answered; make an index with: symbols index");
  }
  status_ = answer.servers.empty() ? 1 : 0;
  on_end_();
}

}  // namespace symbols::warm
