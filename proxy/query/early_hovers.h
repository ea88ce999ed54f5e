// The hovers that a server had none of when it was last asked: asked for again together with the symbols, not
// after them, which saves the next answer a round trip.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "proxy/query/hover_pool.h"
#include "proxy/query/silent_places.h"

namespace symbols::query {

// Destroying it cancels what is out and nobody else waits for. Single-threaded.
class EarlyHovers {
 public:
  // What a server says long before its symbols come it may say while it is starting: it is not believed.
  static constexpr std::chrono::milliseconds believed_for{500};

  // Asks at once, for each place of which the pool knows no hover. The pool must outlive it.
  EarlyHovers(HoverPool& pool, std::string_view uri, std::vector<HoverPlace> places);
  ~EarlyHovers();
  EarlyHovers(const EarlyHovers&) = delete;
  EarlyHovers& operator=(const EarlyHovers&) = delete;

  // Whether the server has just said that it has no hover there, nothing has changed since it was asked, and
  // it gave no hover at any of the places: one that has begun to know more is asked again. Else the pool
  // knows the hover, or what is out for it, or has to be asked.
  bool none_at(lsp::Position position, std::string_view symbol_name) const;

 private:
  struct Early {
    HoverPlace place;
    HoverPool::Ticket ticket;  // none once answered
    std::optional<std::chrono::steady_clock::time_point> none_since{};
  };

  HoverPool& pool_;
  std::uint64_t period_;       // of the pool, when it was asked
  bool knows_more_ = false;    // there was a hover at one of them
  std::vector<Early> hovers_;  // by place
};

}  // namespace symbols::query
