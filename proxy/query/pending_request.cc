#include "proxy/query/pending_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace symbols::query {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds delay_after(int attempts) {
  return std::min(milliseconds(50 << std::min(attempts, 6)), milliseconds(2000));
}

// As servers that are still loading say it: LSP 3.17, "Response Message"; ccls 0.20220729 ends its own wait for
// a file's index so.
static bool is_not_ready(const lsp::Reply& reply) {
  return reply.failed && (reply.error.code == lsp::error_code::content_modified ||
                          reply.error.code == lsp::error_code::server_cancelled ||
                          (reply.error.code == lsp::error_code::invalid_request &&
                           reply.error.message == "not indexed"));
}

void PendingRequest::send(std::string_view method, std::string_view params, lsp::ReplyHandler handler,
                          milliseconds retry_for) {
  handler_ = std::move(handler);
  retry_for_ = retry_for;
  attempts_ = 0;
  first_attempt_ = steady_clock::now();
  method_ = method;
  params_ = params;
  send_again();
}

void PendingRequest::send_again() {
  ++attempts_;
  number_ = sender_.request(method_, params_, [this](const lsp::Reply& reply) { receive(reply); });
}

void PendingRequest::receive(const lsp::Reply& reply) {
  number_.reset();
  const milliseconds delay = delay_after(attempts_);
  if (is_not_ready(reply) && steady_clock::now() + delay - first_attempt_ <= retry_for_) {
    retry_timer_.start(delay, [this] { send_again(); });
  } else {
    std::exchange(handler_, {})(reply);
  }
}

void PendingRequest::cancel() {
  handler_ = {};
  retry_timer_.stop();
  if (number_) sender_.cancel(*std::exchange(number_, {}));
}

std::string refusal_text(const lsp::Reply& reply) {
  if (reply.error.code == lsp::error_code::method_not_found) return std::string(not_offered);
  return fmt::format("{} (error {})",
                     reply.error.message.empty() ? "the server gave no reason" : reply.error.message,
                     reply.error.code);
}

}  // namespace symbols::query
