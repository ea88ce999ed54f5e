// One request to the server that is retried while the server is not ready and cancelled when it is destroyed.
// So a query that holds its requests as members need not check whether it is still alive when a reply
// arrives.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/requests.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// The delay before the next attempt after `attempts` of them: 100 ms after the first, doubled each time, at
// most two seconds.
std::chrono::milliseconds delay_after(int attempts);

// Single-threaded.
class PendingRequest {
 public:
  // `sender` and `timers` outlive it.
  PendingRequest(lsp::RequestSender& sender, relay::Timers& timers) : sender_(sender), retry_timer_(timers) {}
  ~PendingRequest() { cancel(); }
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;

  // To be called while none is out. `handler` gets the reply, once, unless cancel() comes first; it may
  // destroy this. Where the server refuses because it is still loading, the request is retried for at
  // most `retry_for`; with 0 that refusal is the reply.
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
  relay::Timer retry_timer_;
  std::string method_;
  std::string params_;  // kept for retries
  lsp::ReplyHandler handler_;
  std::chrono::milliseconds retry_for_{0};
  int attempts_ = 0;
  std::chrono::steady_clock::time_point first_attempt_;
  std::optional<lsp::RequestNumber> number_;  // while the server has it
};

inline constexpr std::string_view not_offered = "not offered by the server";

// Why a server refused a request, for the reader of an answer: its own message if it has one. `reply` is a
// failed one.
std::string refusal_text(const lsp::Reply& reply);

}  // namespace symbols::query
