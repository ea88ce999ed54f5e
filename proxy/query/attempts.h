// A server that is still loading answers ContentModified or ServerCancelled (LSP 3.17, "Response Message")
// and wants to be asked again: when, and for how long.
#pragma once

#include <chrono>
#include <optional>

#include "lsp/reply.h"

namespace symbols::query {

// How long to wait before the attempt after the `attempts`-th: each wait is twice the one before, from 100 ms
// up to two seconds.
std::chrono::milliseconds delay_after(int attempts);

// The attempts at one request.
class Attempts {
 public:
  // One is made now.
  void add();
  // The delay before the next one, where `reply` to the last wants that and the next would still begin within
  // `limit` of the first.
  std::optional<std::chrono::milliseconds> retry_delay(const lsp::Reply& reply,
                                                       std::chrono::milliseconds limit) const;

 private:
  int count_ = 0;
  std::chrono::steady_clock::time_point first_;
};

}  // namespace symbols::query
