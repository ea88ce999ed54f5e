// A client and a server around one session, as the session target scripts them: they speak in bytes through
// the proxy's relays, and remember what was asked and answered. With --restart another server takes the place
// of one that dies. What must be true of any session is checked as it happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/frame.h"
#include "lsp/messages.h"
#include "proxy/io/relay_direction.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/interceptor.h"
#include "proxy/session/session_documents.h"
#include "proxy/session/session_lifecycle.h"
#include "tests/proxy/io/scripted_timers.h"

namespace symbols::fuzz {

// Bytes on their way to one side.
class Wire {
 public:
  explicit Wire(std::function<void(std::string_view body)> on_message) : on_message_(std::move(on_message)) {}

  void write(std::string_view bytes);

 private:
  std::function<void(std::string_view body)> on_message_;
  lsp::FrameReader reader_{std::uint64_t{1} << 30U};
};

class SessionWorld : private session::SessionLifecycle::World {
 public:
  explicit SessionWorld(session::ProxyOptions options);
  ~SessionWorld();
  SessionWorld(const SessionWorld&) = delete;
  SessionWorld& operator=(const SessionWorld&) = delete;

  // At most so many bytes come at a time; at least 1.
  void set_portion(std::size_t portion) { portion_ = portion; }

  // From here on the client and the server may say anything.
  void all_may_be_said() { anything_goes_ = true; }
  // The client sends a message, at once or when the proxy listens again. A request's id is new, or nothing is
  // sent.
  void client_says(std::string_view body);
  std::string new_client_id() { return std::to_string(++last_client_id_); }
  // The requests that the client waits for, the oldest first.
  const std::vector<std::string>& client_awaits() const { return client_waits_; }

  // Answers the server's request that it got as the nth of those that it has not answered; nothing where
  // there is none.
  void client_answers(std::size_t which, std::string_view result);

  // The server sends a message, whatever it is; nothing where there is no server.
  void server_says(std::string_view body);
  struct Asked {
    std::string id;  // raw
    std::string method;
  };
  // The requests that the server has got and not answered.
  const std::vector<Asked>& server_owes() const { return server_owes_; }

  // A number for a request of the present server: each one counts from 0.
  std::size_t new_server_id() { return next_server_id_++; }

  void pass_time(std::chrono::milliseconds time) { timers_.pass(time); }
  // The process is gone. `last_bytes`: what it has written before, which is no whole message.
  void server_dies(std::string_view last_bytes = {});
  // The session is over.
  bool server_is_dead() const { return dead_; }
  // Whether from here on no server can be started.
  void set_start_fails(bool fails) { start_fails_ = fails; }

  // Time passes and the server answers all it owes with `result`, until nothing is left: then nobody waits.
  void settle(std::string_view result);

 private:
  void deliver(std::string_view body);
  void deliver_held();
  void at_server(std::string_view body);
  void at_client(std::string_view body);
  void request_at_client(const lsp::Envelope& envelope, bool passed);
  void own_message_at_server(const lsp::Envelope& envelope, std::string_view body);
  void check_document(const lsp::Envelope& envelope);
  void check_documents();
  void pass_portions(io::MessageRelay& relay, std::string_view left);
  bool is_own(std::string_view id) const;
  std::unique_ptr<io::MessageRelay> relay_to(Wire& wire, std::function<bool(std::string_view body)> take);
  std::unique_ptr<io::MessageRelay> server_relay();
  bool is_away() const { return lifecycle_.is_away(); }

  bool client_waits() const override { return false; }
  void give_up_answers() override {}
  bool send_shutdown(std::function<void()>) override { return false; }
  void send_exit() override {}
  std::uint64_t written_to_server() const override { return 0; }
  std::uint64_t written_to_client() const override { return 0; }
  bool client_has_to_read() const override { return false; }
  bool server_stream_ended() const override { return true; }
  void close_server_input() override {}
  void stop_server(std::chrono::milliseconds grace) override;
  void take_rest_of_output() override {}
  bool can_be_replaced() const override;
  void server_gone(const std::string& why) override;
  Result<void> start_server() override;
  void introduce_client(std::function<void(Result<std::size_t>)> done) override;
  void client_goes_on() override {}
  bool owes_reply() const override { return false; }
  std::uint64_t bytes_from_server() const override { return 0; }
  void close_streams(const std::string& why) override;
  void warn(const std::string&) override {}
  void show_to_client(const std::string&) override {}
  void done(process::ExitStatus) override {}

  servers::ServerRegistry registry_ = servers::ServerRegistry::built_in();
  io::ScriptedTimers timers_;
  bool restarts_;
  std::size_t portion_ = 65536;
  std::uint64_t last_client_id_ = 0;
  std::size_t next_server_id_ = 0;
  bool runs_ = true;      // there is a server process
  bool leaving_ = false;  // the client is told what comes of the end of a server
  bool start_fails_ = false;
  bool dead_ = false;
  bool exit_received_ = false;
  bool anything_goes_ = false;  // what the two sides say is not ours to judge

  // In the order in which they were sent; what arrives is looked for from the front.
  std::deque<std::string> from_client_;
  std::deque<std::string> from_server_;
  std::deque<std::string> held_;  // what the client has said and the proxy not read
  std::vector<std::string> client_waits_;
  std::vector<std::string> client_owes_;           // ids of the server's requests, as the client got them
  std::set<std::string, std::less<>> client_ids_;  // that were ever used
  std::map<std::string, std::size_t, std::less<>>
      stray_;  // answers of the server that nobody waited for, by id
  std::vector<Asked> server_owes_;
  std::multiset<std::string, std::less<>> server_waits_;  // ids of the present server's requests
  std::set<std::string, std::less<>> own_ids_;            // of the proxy's requests, that were ever used
  // The documents as each side knows them.
  session::ClientDocuments at_client_documents_;
  session::ClientDocuments at_server_documents_;

  Wire to_client_;
  Wire to_server_;
  std::unique_ptr<session::Interceptor> interceptor_;
  std::unique_ptr<io::MessageRelay> client_relay_;
  std::unique_ptr<io::MessageRelay> server_relay_;
  session::SessionLifecycle lifecycle_;
};

}  // namespace symbols::fuzz
