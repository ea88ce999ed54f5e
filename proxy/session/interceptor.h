// Decides which messages of a session the proxy handles (docs/spec.md, section 7), and dispatches them. A state
// machine without I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/envelope.h"
#include "proxy/relay/timers.h"
#include "proxy/session/answering.h"
#include "proxy/session/request_queue.h"
#include "proxy/session/server_answers.h"
#include "proxy/session/server_succession.h"
#include "proxy/session/session_documents.h"
#include "proxy/session/session_state.h"
#include "proxy/session/traffic_stats.h"

namespace symbols::session {

// Single-threaded. Bodies that it sends are whole JSON-RPC messages, not yet framed.
//
// Each message either passes or is consumed. What a passing message changes is handed on here: its id to the
// RequestQueue, changes of documents to SessionDocuments and then to Answering, whose hovers they may outdate.
class Interceptor {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    relay::Timers& timers;
    // `exit` was received. It passes, but is not forwarded yet.
    std::function<void()> on_client_exit;
    // The client waits for no answer any more.
    std::function<void()> on_all_answered;
    // A warning for the user. Called rarely.
    std::function<void(const std::string& message)> warn;
  };

  // `server` as far as it is known, else null; it, `registry` and `stats`, which may be null, outlive the
  // interceptor. `id_prefix` begins the ids of the proxy's own requests, and no other.
  Interceptor(ProxyOptions options, const std::string& id_prefix, const servers::ServerRegistry& registry,
              const servers::ServerSpec* server, Callbacks callbacks, TrafficStats* stats);

  // A message of the client, or of the server. Returns whether it is consumed; else it passes.
  bool take_client(std::string_view body);
  bool take_server(std::string_view body);

  // The bytes sent so far in answer to the server's requests: the caller holds back a server that sends
  // requests without end and reads no answers.
  std::uint64_t bytes_answered() const { return bytes_answered_; }

  bool client_waits() const { return requests_.waiting() > 0; }

  // Whether the server waits to be told of the end.
  bool wants_shutdown() const { return state_.wants_shutdown() && server_ == Server::present; }
  bool wants_exit() const { return state_.wants_exit() && server_ != Server::gone; }
  // Nobody wants the answers under way any more: what they asked the server for is cancelled.
  void give_up_answers() { answering_.give_up_all(); }
  // The end of everything: nothing is sent any more.
  void close();
  // Sends shutdown; `done` is called when it was answered.
  void shutdown(std::function<void()> done);
  void exit();

  // Each request that the client waits for is answered with an error that says so.
  void server_lost(const Error& reason);

  // --restart. Whether another server could take the place of one that ends now: the client has got its
  // answer to initialize, and has not asked for the end.
  bool can_be_replaced() const;
  // The server has ended, and another will take its place: as server_lost(), with an error for which requests
  // may be sent again. Nothing is sent to a server from now on but by introduce(), and the client is not to
  // be listened to.
  void server_gone(const std::string& reason);
  // Tells a new server what the old one was told. `done`, which is called within a message of the server's,
  // gets the number of documents that were opened.
  void introduce(std::function<void(Result<std::size_t>)> done);
  // Whether the server owes a reply while it waits for nothing itself.
  bool server_owes() const;

 private:
  enum class Server {
    present,
    gone,        // until there is another
    introduced,  // another one is told what the client has told the one before
  };

  void take_client_exit();
  bool take_notification(const lsp::Envelope& envelope);
  bool take_initialize(std::string_view body, const lsp::Envelope& envelope);
  bool is_to_us(std::string_view reply_id) const;
  bool take_server_request(const lsp::Envelope& envelope, std::string_view body);
  bool pass_server_request(const lsp::Envelope& envelope, std::string_view body);
  bool take_client_answer(const lsp::Envelope& envelope, std::string_view body);
  void take_introduction_reply(const lsp::Envelope& envelope);
  std::size_t open_documents_again();
  void refuse_waiting(int code, const std::string& reason);
  void send_to_server(std::string body);
  bool take_initialize_reply(const lsp::Envelope& envelope, std::string_view body);
  void warn_once(const char* what, const std::string& message);
  void warn_of_malformed(const char* sender);

  Callbacks callbacks_;
  SessionState state_;
  ServerAnswers answer_server_;
  SessionDocuments documents_;
  RequestQueue requests_;
  Answering answering_;
  std::set<std::string, std::less<>> warned_;
  std::string initialize_id_;  // raw, while its answer is out
  // The same, once we have sent it ourselves, to a server that was started again, and that has answered.
  std::string introduced_id_;
  bool client_said_exit_ = false;
  std::optional<ServerSuccession> succession_;  // with --restart
  Server server_ = Server::present;
  std::function<void(Result<std::size_t>)> introduction_done_;
  std::uint64_t bytes_answered_ = 0;
};

}  // namespace symbols::session
