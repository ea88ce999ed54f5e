// The hovers that a server had none of when it was last asked: asked for again together with the symbols, not
// after them, which saves the next answer a round trip.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "proxy/hover_pool.h"
#include "proxy/silent_places.h"

namespace symbols::proxy {

// Destroying it cancels what is out and nobody else waits for. Single-threaded.
class EarlyHovers {
 public:
  // Asks at once, for each place. The pool must outlive it.
  EarlyHovers(HoverPool& pool, std::string_view uri, std::vector<HoverPlace> places);
  ~EarlyHovers();
  EarlyHovers(const EarlyHovers&) = delete;
  EarlyHovers& operator=(const EarlyHovers&) = delete;

  // Whether the server has said since, and nothing has changed since it was asked, that it has no hover
  // there, or has failed on it. Else the pool knows the hover, or what is out for it, or has to be asked.
  bool none_at(lsp::Position position, std::string_view symbol_name) const;

 private:
  struct Early {
    HoverPlace place;
    HoverPool::Ticket ticket;  // none once answered
    bool none = false;
  };

  HoverPool& pool_;
  std::uint64_t period_;       // of the pool, when it was asked
  std::vector<Early> hovers_;  // by place
};

}  // namespace symbols::proxy
