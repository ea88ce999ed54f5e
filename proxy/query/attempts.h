// The backoff for servers that are still loading: they answer ContentModified or ServerCancelled (LSP 3.17,
// "Response Message"), and the request is retried for a limited time.
#pragma once

#include <chrono>
#include <optional>

#include "lsp/reply.h"

namespace symbols::query {

// The delay before the next attempt after `attempts` of them: 100 ms after the first, doubled each time, at
// most two seconds.
std::chrono::milliseconds delay_after(int attempts);

// The attempts at one request.
class Attempts {
 public:
  // Counts an attempt, made now.
  void add();
  // The delay before the next attempt, if `reply`, to the last one, says that the server is not ready, and
  // the next would begin within `limit` of the first.
  std::optional<std::chrono::milliseconds> retry_delay(const lsp::Reply& reply,
                                                       std::chrono::milliseconds limit) const;

 private:
  int count_ = 0;
  std::chrono::steady_clock::time_point first_;
};

}  // namespace symbols::query
