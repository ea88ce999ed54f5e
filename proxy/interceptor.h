// What the proxy does with the messages of a session (docs/spec.md, section 7): which of them are its
// business, and what becomes of those. A state machine without I/O.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lsp/outgoing_requests.h"
#include "lsp/result.h"
#include "proxy/client_requests.h"
#include "proxy/message_relay.h"

namespace symbols::proxy {

// Single-threaded. Bodies that it sends are whole JSON-RPC messages, not yet framed.
class Interceptor {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    // The client has sent `exit`, which passes: it is not forwarded yet.
    std::function<void()> on_client_exit;
    // The client has got the last answer that it waited for.
    std::function<void()> on_all_answered;
    // What a person should know; rare.
    std::function<void(const std::string& message)> warn;
  };

  explicit Interceptor(Callbacks callbacks);

  // The two directions' messages, as MessageRelay shows and hands them over.
  MessageRelay::Verdict judge_client(std::string_view start, bool whole);
  bool take_client(std::string_view body);
  void client_streamed(std::string_view tail);
  MessageRelay::Verdict judge_server(std::string_view start, bool whole);
  bool take_server(std::string_view body);
  void server_streamed(std::string_view tail);

  bool client_waits() const { return !client_requests_.empty(); }

  // Whether the server waits to be told of the end: initialize has passed and shutdown has not.
  bool wants_shutdown() const { return initialize_seen_ && !shutdown_seen_; }
  bool wants_exit() const { return initialize_seen_ && !exit_seen_; }
  // Sends shutdown; `done` is called when it was answered.
  void shutdown(std::function<void()> done);
  void exit();

  // Each request that the client waits for is answered with an error that says so.
  void server_lost(const Error& reason);

 private:
  void answered(std::string_view client_id);
  void warn_once(bool& warned, const std::string& message);

  Callbacks callbacks_;
  ClientRequests client_requests_;
  lsp::OutgoingRequests own_requests_;
  bool initialize_seen_ = false;
  bool shutdown_seen_ = false;
  bool exit_seen_ = false;
  bool warned_of_client_ = false;
  bool warned_of_server_ = false;
};

}  // namespace symbols::proxy
