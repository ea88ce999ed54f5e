#include "proxy/query/attempts.h"

#include <algorithm>

namespace symbols::query {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds delay_after(int attempts) {
  return std::min(milliseconds(50 << std::min(attempts, 6)), milliseconds(2000));
}

void Attempts::add() {
  if (count_++ == 0) first_ = steady_clock::now();
}

std::optional<milliseconds> Attempts::retry_delay(const lsp::Reply& reply, milliseconds limit) const {
  const bool not_ready = reply.failed && (reply.error.code == lsp::error_code::content_modified ||
                                          reply.error.code == lsp::error_code::server_cancelled);
  if (!not_ready) return {};
  const milliseconds delay = delay_after(count_);
  if (steady_clock::now() + delay - first_ > limit) return {};
  return delay;
}

}  // namespace symbols::query
