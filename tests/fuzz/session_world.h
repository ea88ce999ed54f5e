// A client and a server around one session, as the session target scripts them: they speak in bytes through
// the proxy's relays, and remember what was asked and answered. What must be true of any session is checked
// as it happens.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/envelope.h"
#include "lsp/frame.h"
#include "proxy/relay/message_relay.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/interceptor.h"
#include "tests/proxy/relay/scripted_timers.h"

namespace symbols::fuzz {

// Bytes on their way to one side. Like a ByteWriter, it keeps messages of the proxy's own back while a
// message that passes is open.
class Wire {
 public:
  explicit Wire(std::function<void(std::string_view body)> on_message) : on_message_(std::move(on_message)) {}

  void forward(std::string_view bytes, bool frame_open);
  void send(std::string_view body);

 private:
  void write(std::string_view bytes);

  std::function<void(std::string_view body)> on_message_;
  lsp::FrameReader reader_{std::uint64_t{1} << 30U};
  std::vector<std::string> waiting_;
  bool open_ = false;
};

class SessionWorld {
 public:
  explicit SessionWorld(session::ProxyOptions options);
  ~SessionWorld();
  SessionWorld(const SessionWorld&) = delete;
  SessionWorld& operator=(const SessionWorld&) = delete;

  // Each side's bytes come in portions of so many, at least 1.
  void set_portion(std::size_t size) { portion_ = size; }

  // From here on the client and the server may say anything.
  void all_may_be_said() { anything_goes_ = true; }
  // The client sends a message. A request's id is new, or nothing is sent.
  void client_says(std::string_view body);
  std::string new_client_id() { return std::to_string(++last_client_id_); }
  // The requests that the client waits for, the oldest first.
  const std::vector<std::string>& client_waits() const { return client_waits_; }

  // The server sends a message, whatever it is.
  void server_says(std::string_view body);
  struct Asked {
    std::string id;  // raw
    std::string method;
  };
  // The requests that the server has got and not answered.
  const std::vector<Asked>& server_owes() const { return server_owes_; }

  void pass_time(std::chrono::milliseconds time) { timers_.pass(time); }
  // The process is gone.
  void server_dies();
  bool server_is_dead() const { return dead_; }

  // Time passes and the server answers all it owes with `result`, until nothing is left: then nobody waits.
  void settle(std::string_view result);

 private:
  bool client_breaks_off(std::string_view body);
  void at_server(std::string_view body);
  void at_client(std::string_view body);
  void own_message_at_server(const lsp::Envelope& envelope, std::string_view body);
  void check_document(const lsp::Envelope& envelope);
  void feed(relay::MessageRelay& relay, std::string_view body);
  bool is_own(std::string_view id) const;

  servers::ServerRegistry registry_ = servers::ServerRegistry::built_in();
  relay::ScriptedTimers timers_;
  std::size_t portion_ = 65536;
  std::uint64_t last_client_id_ = 0;
  bool dead_ = false;
  bool client_said_exit_ = false;
  bool anything_goes_ = false;  // what the two sides say is not ours to judge

  // In the order in which they were sent; what arrives is looked for from the front.
  std::deque<std::string> from_client_;
  std::deque<std::string> from_server_;
  std::vector<std::string> client_waits_;
  std::set<std::string, std::less<>> broken_off_;  // what may be answered, and once
  std::set<std::string, std::less<>> client_ids_;  // that were ever used
  std::map<std::string, std::size_t, std::less<>>
      stray_;  // answers of the server that nobody waited for, by id
  std::vector<Asked> server_owes_;
  std::set<std::string, std::less<>> own_ids_;         // of the proxy's requests, that were ever used
  std::set<std::string, std::less<>> open_at_server_;  // documents

  Wire to_client_;
  Wire to_server_;
  std::unique_ptr<session::Interceptor> interceptor_;
  std::unique_ptr<relay::MessageRelay> client_relay_;
  std::unique_ptr<relay::MessageRelay> server_relay_;
};

}  // namespace symbols::fuzz
