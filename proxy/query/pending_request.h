// One request to the server that is retried while the server is not ready and cancelled when it is destroyed.
// So a query that holds its requests as members need not check whether it is still alive when a reply
// arrives.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/reply.h"
#include "proxy/query/attempts.h"
#include "proxy/query/timer.h"

namespace symbols::query {

// Single-threaded.
class PendingRequest {
 public:
  // `sender` and `timers` outlive it.
  PendingRequest(lsp::RequestSender& sender, relay::Timers& timers) : sender_(sender), retry_timer_(timers) {}
  ~PendingRequest() { cancel(); }
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;

  // To be called while none is out. `handler` gets the reply, once, unless cancel() comes first; it may
  // destroy this. If the server says that it is not ready, the request is retried for at most `retry_for`;
  // with 0 that answer is the reply.
  void send(std::string_view method, std::string_view params, lsp::ReplyHandler handler,
            std::chrono::milliseconds retry_for = {});
  // Whether the reply is still to come.
  bool is_out() const { return handler_ != nullptr; }
  // The handler is no longer called.
  void cancel();

 private:
  void send_again();
  void receive(const lsp::Reply& reply);

  lsp::RequestSender& sender_;
  Timer retry_timer_;
  std::string method_;
  std::string params_;  // kept for retries
  lsp::ReplyHandler handler_;
  std::chrono::milliseconds retry_for_{0};
  Attempts attempts_;
  std::optional<lsp::RequestNumber> number_;  // while the server has it
};

}  // namespace symbols::query
