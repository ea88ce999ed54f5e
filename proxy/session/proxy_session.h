// One run of the proxy between its client and its server: the processes and streams, and how all of it ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "proxy/files/traffic_log.h"
#include "proxy/io/byte_writer.h"
#include "proxy/io/event_loop.h"
#include "proxy/io/relay_direction.h"
#include "proxy/process/child_process.h"
#include "proxy/process/made_folder.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/error_copy.h"
#include "proxy/session/interceptor.h"
#include "proxy/session/session_lifecycle.h"

namespace symbols::session {

// The client is at our standard input and output. Single-threaded.
class ProxySession final : private SessionLifecycle::World {
 public:
  // No one else uses `loop`. `log` may be null. Both outlive this.
  ProxySession(io::EventLoop& loop, ProxyOptions options, files::TrafficLog* log);
  ~ProxySession() { interceptor_.close(); }  // it must not send to streams that are destroyed

  // Error: the server cannot be started. Nothing was read from the client then.
  Result<void> start();
  // Runs the loop until the server has ended and everything was sent to the client. Returns the exit status
  // (docs/spec.md, section 8).
  int run();
  // As a signal does; see SessionLifecycle.
  void stop_requested() { lifecycle_.stop_requested(); }

 private:
  enum class Sender { client, server };

  Result<int> start_process();
  void listen_to_server(int from_server);
  io::MessageRelay::Callbacks messages_of(Sender sender);
  bool take_as_ascii(io::ByteWriter& to, std::string_view body);
  void send(io::ByteWriter& to, const std::string& body);
  void log(const char* label, files::TrafficLog::Direction direction, std::string_view body);
  Interceptor::Callbacks interceptor_callbacks();
  static void tell(const std::string& message);
  void take_last_words(std::string_view words);
  std::uint64_t unread_by_server();
  void resume();
  std::string program_name() const;

  // SessionLifecycle::World
  bool can_be_replaced() const override;
  void server_gone(const std::string& why) override;
  Result<void> start_server() override;
  void introduce_client(std::function<void(Result<std::size_t>)> done) override {
    interceptor_.introduce(std::move(done));
  }
  void client_goes_on() override { from_client_->go_on(); }
  bool owes_reply() const override;
  std::uint64_t bytes_from_server() const override { return from_server_->received(); }
  void show_to_client(const std::string& message) override;

  bool client_waits() const override { return interceptor_.client_waits(); }
  void give_up_answers() override { interceptor_.give_up_answers(); }
  bool send_shutdown(std::function<void()> done) override { return interceptor_.shutdown(std::move(done)); }
  void send_exit() override { interceptor_.exit(); }
  std::uint64_t written_to_server() const override { return to_server_.written(); }
  std::uint64_t written_to_client() const override { return to_client_->written(); }
  bool client_has_to_read() const override { return !to_client_->broken() && to_client_->unwritten() > 0; }
  bool server_stream_ended() const override { return from_server_->ended(); }
  void close_server_input() override { to_server_.close(); }
  void stop_server(milliseconds grace) override {
    if (server_) server_->stop(grace);
  }
  void take_rest_of_output() override { from_server_->read_what_is_there(); }
  void close_streams(const std::string& why) override;
  void warn(const std::string& message) override { tell(message); }
  void done(process::ExitStatus status) override;

  io::EventLoop& loop_;
  ProxyOptions options_;
  files::TrafficLog* log_;
  TrafficStats stats_;
  servers::ServerRegistry registry_ = servers::ServerRegistry::built_in();
  SessionLifecycle lifecycle_;
  Interceptor interceptor_;
  bool unframed_ = false;                           // one side has sent bytes that are not frames
  std::optional<process::MadeFolder> made_folder_;  // of a confined server, which it outlives
  std::unique_ptr<process::ChildProcess> server_;   // null between two servers
  std::optional<ErrorCopy> error_copy_;             // of confined servers
  std::optional<io::StandardStream> client_input_;
  std::optional<io::StandardStream> client_output_;
  std::optional<io::ByteWriter> to_client_;
  io::ByteWriter to_server_{
      loop_,
      -1,
      {.on_empty = [this] { resume(); }, .on_broken = [this](int) { lifecycle_.server_takes_nothing(); }}};
  std::optional<io::RelayDirection> from_client_;
  std::optional<io::RelayDirection> from_server_;
  std::uint64_t answers_read_ = 0;  // of interceptor_.bytes_answered()
  process::ExitStatus status_;
};

}  // namespace symbols::session
