// What the tests of HoverPool share: a pool before a fake server, and who waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/query/hover_pool.h"
#include "tests/proxy/query/fake_server.h"

namespace symbols::query {

inline constexpr HoverPool::Options remembering{.remember = true};

inline const char* word(HoverPool::Outcome outcome) {
  using enum HoverPool::Outcome;
  return outcome == answered ? "answered" : outcome == refused ? "refused" : "dropped";
}

// The result of a hover reply whose text is this signature.
inline std::string hover(std::string_view signature) {
  return R"({"contents":{"language":"x","value":")" + std::string(signature) + R"("}})";
}

// A pool and who waits for it. `heard` has a line for each handler that was called: "who outcome signature".
struct HoverPoolStage {
  FakeServer server;
  std::vector<std::string> heard;
  std::unique_ptr<HoverPool> owned;
  HoverPool& pool;

  explicit HoverPoolStage(HoverPool::Options options = {})
      : owned(std::make_unique<HoverPool>(server, server.later(), options)), pool(*owned) {}

  HoverPool::Ticket ask(std::string who, std::uint32_t line, std::string_view name = "f",
                        std::string_view uri = "file:///a") {
    return ask_then(
        std::move(who), [] {}, line, name, uri);
  }
  HoverPool::Ticket ask_then(std::string who, std::function<void()> then, std::uint32_t line,
                             std::string_view name = "f", std::string_view uri = "file:///a") {
    return pool.ask(uri, {line, 0}, name,
                    [this, who = std::move(who), then = std::move(then)](HoverPool::Outcome outcome,
                                                                         const table::HoverText& text) {
                      heard.push_back(who + ' ' + word(outcome) + ' ' + text.signature + text.prose);
                      then();
                    });
  }
  std::string remembered(std::uint32_t line, std::string_view name = "f",
                         std::string_view uri = "file:///a") {
    const table::HoverText* text = pool.remembered(uri, {line, 0}, name);
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
