// Decides which messages of a session the proxy handles (docs/spec.md, section 7), and dispatches them. A
// state machine without I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/messages.h"
#include "lsp/work_done_progress.h"
#include "proxy/io/timers.h"
#include "proxy/session/answering.h"
#include "proxy/session/session_replay.h"

namespace symbols::session {

// Each message either passes or is consumed. What a passing message changes is handed on: its id to
// RequestQueue, changes of documents to SessionDocuments and to Answering, whose hovers they may outdate.
// Bodies that are sent are whole JSON-RPC messages, not yet framed. Single-threaded.
class Interceptor {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    io::Timers& timers;
    std::function<void()> on_client_exit;                  // `exit` was received, and is not forwarded yet
    std::function<void()> on_all_answered;                 // the client waits for no answer any more
    std::function<void(const std::string& message)> warn;  // for the user; called rarely
  };

  // `server` and `stats` may be null. They and `registry` outlive the interceptor. The ids of the proxy's own
  // requests, and no others, begin with `id_prefix`.
  Interceptor(ProxyOptions options, const std::string& id_prefix, const servers::ServerRegistry& registry,
              const servers::ServerSpec* server, Callbacks callbacks, TrafficStats* stats);

  // A message of the client, or of the server. Returns whether it is consumed; else it passes.
  bool take_client(std::string_view body);
  bool take_server(std::string_view body);

  // The bytes sent so far in answer to the server's requests: the caller holds back a server that sends
  // requests without end and reads no answers.
  std::uint64_t bytes_answered() const { return bytes_answered_; }

  bool client_waits() const { return requests_.waiting() > 0; }
  bool awaits_many_replies() const { return answering_.awaits_many_replies(); }

  // Whether shutdown, and exit, are still to be sent to the server.
  bool wants_shutdown() const { return phase_ == Phase::initialized && server_ == Server::present; }
  bool wants_exit() const {
    return (phase_ == Phase::initialized || phase_ == Phase::shut_down) && server_ != Server::gone;
  }
  // Drops the requests that are being answered, and cancels their own requests to the server.
  void give_up_answers() { answering_.give_up_all(); }
  // From now on nothing is sent.
  void close();
  // Sends shutdown, unless it is not to be sent: false. `done` is called at the answer.
  bool shutdown(std::function<void()> done);
  void exit();  // if it is still to be sent

  // Each request that the client waits for is answered with this error.
  void server_lost(const Error& reason) { refuse_waiting(lsp::error_code::internal_error, reason.text()); }

  // --restart. Whether another server could take the place of one that ends now: the client has got its
  // answer to initialize, and has not asked for the end.
  bool can_be_replaced() const;
  // The server has ended, and another takes its place: as server_lost(), with an error after which requests
  // may be sent again. Until introduce() nothing else is sent to a server, and the client is not read.
  void server_gone(const std::string& reason);
  // Repeats to a new server what the old one was sent. `done` gets the number of documents that were opened;
  // it is called from take_server().
  void introduce(std::function<void(Result<std::size_t>)> done);
  // Whether the server owes a reply and waits for none itself.
  bool server_owes() const;

 private:
  // The last of these messages that the server was sent, by the client or by us.
  enum class Phase { before_initialize, initialized, shut_down, exited };
  enum class Server {
    present,
    gone,        // until there is another
    introduced,  // introduce() was called and is not done
  };

  bool take_initialize(std::string_view body, const lsp::Envelope& envelope);
  bool take_server_request(const lsp::Envelope& envelope, std::string_view body);
  Result<std::size_t> introduced(const lsp::Reply& reply);
  void refuse_waiting(int code, const std::string& reason);
  void send_to_server(std::string body);
  bool take_initialize_reply(const lsp::Envelope& envelope, std::string_view body);
  void warn_once(const char* what, const std::string& message);
  void warn_of_malformed(const char* sender);

  Callbacks callbacks_;
  SessionState state_;
  Phase phase_ = Phase::before_initialize;
  lsp::WorkDoneProgress progress_;
  SessionDocuments documents_;
  RequestQueue requests_;
  Answering answering_;
  std::set<std::string, std::less<>> warned_;
  std::string initialize_id_;  // raw, until it is answered
  bool exit_received_ = false;
  std::optional<SessionReplay> replay_;  // with --restart
  Server server_ = Server::present;
  lsp::RequestNumber introduction_ = 0;  // the initialize that was repeated last
  std::uint64_t bytes_answered_ = 0;
};

}  // namespace symbols::session
