// What the tests of HoverScheduler share: a scheduler before a fake server, and its waiters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/query/hover_scheduler.h"
#include "tests/proxy/query/fake_server.h"

namespace symbols::query {

inline constexpr HoverScheduler::Options caching{.cache = true};

inline const char* word(HoverScheduler::Outcome outcome) {
  using enum HoverScheduler::Outcome;
  return outcome == answered  ? "answered"
         : outcome == nothing ? "nothing"
         : outcome == refused ? "refused"
                              : "dropped";
}

// The result of a hover reply whose text is this signature.
inline std::string hover(std::string_view signature) {
  return R"({"contents":{"language":"x","value":")" + std::string(signature) + R"("}})";
}

// A scheduler and its waiters. `heard` has a line for each handler that was called: "who outcome signature".
struct HoverSchedulerStage {
  FakeServer server;
  std::vector<std::string> heard;
  std::unique_ptr<HoverScheduler> owned;
  HoverScheduler& scheduler;

  explicit HoverSchedulerStage(HoverScheduler::Options options = {})
      : owned(std::make_unique<HoverScheduler>(server, server.delayed, options)), scheduler(*owned) {}

  HoverScheduler::Ticket ask(std::string who, std::uint32_t line, std::string_view name = "f",
                             std::string_view uri = "file:///a") {
    return ask_then(
        std::move(who), [] {}, line, name, uri);
  }
  HoverScheduler::Ticket ask_then(std::string who, std::function<void()> then, std::uint32_t line,
                                  std::string_view name = "f", std::string_view uri = "file:///a") {
    return scheduler.ask(uri, {line, 0}, name,
                         [this, who = std::move(who), then = std::move(then)](HoverScheduler::Outcome outcome,
                                                                              const table::HoverText& text) {
                           heard.push_back(who + ' ' + word(outcome) + ' ' + text.signature + text.prose);
                           then();
                         });
  }
  std::string cached(std::uint32_t line, std::string_view name = "f", std::string_view uri = "file:///a") {
    const table::HoverText* text = scheduler.cached(uri, {line, 0}, name);
    return text == nullptr ? "-" : text->signature;
  }
  // The lines of the requests that are out, oldest first.
  std::vector<int> lines_out() const {
    std::vector<int> lines;
    for (const FakeServer::Sent& request : server.sent) {
      lines.push_back(std::stoi(request.params.substr(request.params.find("\"line\":") + 7)));
    }
    return lines;
  }
};

}  // namespace symbols::query
