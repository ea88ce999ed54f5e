#include "proxy/query/pending_request.h"

#include <utility>

namespace symbols::query {

void PendingRequest::send(std::string_view method, std::string_view params, lsp::ReplyHandler handler,
                          std::chrono::milliseconds retry_for) {
  handler_ = std::move(handler);
  retry_for_ = retry_for;
  attempts_ = {};
  method_ = method;
  params_ = params;
  send_again();
}

void PendingRequest::send_again() {
  attempts_.add();
  number_ = sender_.request(method_, params_, [this](const lsp::Reply& reply) { receive(reply); });
}

void PendingRequest::receive(const lsp::Reply& reply) {
  number_.reset();
  if (const auto delay = attempts_.retry_delay(reply, retry_for_)) {
    retry_timer_.start(*delay, [this] { send_again(); });
    return;
  }
  const lsp::ReplyHandler handler = std::exchange(handler_, {});
  handler(reply);
}

void PendingRequest::cancel() {
  handler_ = {};
  retry_timer_.stop();
  if (number_) sender_.cancel(*std::exchange(number_, {}));
}

}  // namespace symbols::query
