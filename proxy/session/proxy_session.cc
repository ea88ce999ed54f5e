#include "proxy/session/proxy_session.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>

#include "lsp/frame.h"
#include "lsp/json/json_ascii.h"
#include "proxy/files/traffic_log.h"
#include "proxy/process/child_process.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/pipe.h"
#include "proxy/relay/relay_direction.h"
#include "proxy/relay/standard_stream.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/interceptor.h"
#include "proxy/session/session_end.h"
#include "proxy/session/traffic_stats.h"
#include "table/terminal_text.h"

namespace symbols::session {
namespace {

using relay::Pipe;
using std::chrono::milliseconds;

// Of this run alone: a proxy may stand behind a proxy, and each would take the other's ids for its own.
std::string own_id_prefix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("symbols-proxy-{}-{:x}-", ::getpid(),
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count() & 0xFFFFF);
}

// A longer turn for this process than others have (SCHED_OTHER's slice, which Linux 6.12 and later take from
// here). Of two processes that wake each other the one with the longer turn lets the other finish: without it
// a request and its reply took a fifth more, in needless switches between client, server and us. Measured
// with other work on the same core too, where it helps more. To be called after the server is started, which
// would inherit it.
void let_others_finish() {
  struct Attributes {  // sched_attr of sched_setattr(2), which the C library lacks; its first version
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime;  // nanoseconds
    std::uint64_t deadline;
    std::uint64_t period;
  } attributes{};
  constexpr std::uint64_t turn = 6'000'000;  // the kernel's own is at most 3 ms
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER || attributes.runtime > turn) return;
  attributes.runtime = turn;
  (void)::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

class ProxySession::Impl final : private SessionEnd::World {
 public:
  Impl(relay::EventLoop& loop, process::StartChild start_child, ClientStreams client, ProxyOptions options,
       files::TrafficLog* log)
      : loop_(loop),
        start_child_(std::move(start_child)),
        client_(client),
        options_(std::move(options)),
        log_(log),
        interceptor_(interceptor_options(), interceptor_callbacks(), options_.stats ? &stats_ : nullptr) {}

  ~Impl() {
    interceptor_.close();  // what it would say yet would go to streams that are gone
  }

  Result<void> start() {
    if (!to_server_pipe_.open() || !from_server_pipe_.open()) {
      return Error{fmt::format("cannot make a pipe to the server: {}", std::strerror(errno)),
                   "see the limits of this account (ulimit -n)"};
    }
    const process::ProcessOptions process{
        .program = options_.program, .arguments = options_.server_arguments, .inherits_descriptors = true};
    Result<std::unique_ptr<process::ChildProcess>> server =
        start_child_(process, {to_server_pipe_.read, from_server_pipe_.write, STDERR_FILENO},
                     [this](process::ExitStatus status) { end_.server_exited(status); });
    if (!server) return server.error();
    server_ = std::move(*server);
    Pipe::close(to_server_pipe_.read);
    Pipe::close(from_server_pipe_.write);
    let_others_finish();
    open_streams();
    return {};
  }

  int run() {
    from_client_->start();
    from_server_->start();
    loop_.run();
    if (options_.stats) relay::write_shared_error(stats_.report(), milliseconds(1000));
    return status_.signal != 0 ? 128 + status_.signal : status_.code;
  }

  void told_to_end() { end_.told_to_end(); }

 private:
  void open_streams() {
    client_input_.emplace(client_.input);
    client_output_.emplace(client_.output);
    to_client_.emplace(loop_, client_output_->release(),
                       relay::ByteWriter::Callbacks{.on_empty =
                                                        [this] {
                                                          resume();
                                                          end_.client_took_all();
                                                        },
                                                    .on_broken = [this](int) { end_.client_gone(); }});
    to_server_.emplace(
        loop_, Pipe::give_away(to_server_pipe_.write),
        relay::ByteWriter::Callbacks{.on_empty = [this] { resume(); },
                                     .on_broken = [this](int) { end_.server_takes_nothing(); }});
    const bool may_splice = !sees_everything();
    from_client_.emplace(
        loop_, client_input_->release(), *to_server_, *to_client_, may_splice,
        relay::RelayDirection::Callbacks{.messages = client_messages(),
                                         .on_end = [this] { end_.client_ended(); },
                                         .unread_answers = [this] { return to_client_->queued(); },
                                         .on_hangup = [this] { end_.client_hung_up(); }});
    from_server_.emplace(loop_, Pipe::give_away(from_server_pipe_.read), *to_client_, *to_server_, may_splice,
                         relay::RelayDirection::Callbacks{
                             .messages = server_messages(),
                             .on_end = [this] { end_.server_output_ended(); },
                             .unread_answers = [this] { return unread_by_server(); },
                             .cut_header_passes = true,
                             .on_hangup = {},
                             .may_gather = [this] { return interceptor_.awaits_many_replies(); },
                             .may_rest = [this] { return interceptor_.awaits_many_small_portions(); }});
  }

  // Whether every message is gathered, for the log or to be written in ASCII, and not only those that are
  // intercepted.
  bool sees_everything() const { return log_ != nullptr || options_.ascii; }

  relay::MessageRelay::Callbacks client_messages() {
    return {.forward = {},
            .judge =
                [this](std::string_view start, bool whole) {
                  const relay::MessageRelay::Verdict verdict = interceptor_.judge_client(start, whole);
                  return sees_everything() ? relay::MessageRelay::Verdict::gather : verdict;
                },
            .take =
                [this](std::string_view body) {
                  if (!sees_everything()) return interceptor_.take_client(body);
                  log("client", files::TrafficLog::Direction::to_server, body);
                  const bool taken =
                      interceptor_.judge_client(body, true) == relay::MessageRelay::Verdict::gather &&
                      interceptor_.take_client(body);
                  return taken || take_as_ascii(*to_server_, body);
                },
            .streamed =
                [this](std::string_view tail) {
                  log_streamed("client", files::TrafficLog::Direction::to_server);
                  interceptor_.client_streamed(tail);
                },
            .on_unframed = [this](const Error& error) { unframed("the client", error); }};
  }

  relay::MessageRelay::Callbacks server_messages() {
    return {.forward = {},
            .judge =
                [this](std::string_view start, bool whole) {
                  const relay::MessageRelay::Verdict verdict = interceptor_.judge_server(start, whole);
                  return sees_everything() ? relay::MessageRelay::Verdict::gather : verdict;
                },
            .take =
                [this](std::string_view body) {
                  if (!sees_everything()) return interceptor_.take_server(body);
                  log("server", files::TrafficLog::Direction::from_server, body);
                  const bool taken =
                      interceptor_.judge_server(body, true) == relay::MessageRelay::Verdict::gather &&
                      interceptor_.take_server(body);
                  return taken || take_as_ascii(*to_client_, body);
                },
            .streamed =
                [this](std::string_view tail) {
                  log_streamed("server", files::TrafficLog::Direction::from_server);
                  interceptor_.server_streamed(tail);
                },
            .on_unframed = [this](const Error& error) { unframed("the server", error); }};
  }

  // With --ascii: writes a message that passes, if it has to be rewritten for that.
  bool take_as_ascii(relay::ByteWriter& to, std::string_view body) {
    if (!options_.ascii) return false;
    std::string storage;
    const std::string_view ascii = lsp::ascii_json(body, storage);
    if (ascii.data() == body.data()) return false;
    to.write_frame(lsp::frame(ascii));
    return true;
  }

  // A message of our own.
  void send(relay::ByteWriter& to, const std::string& body) {
    std::string storage;
    to.write_frame(lsp::frame(options_.ascii ? lsp::ascii_json(body, storage) : std::string_view(body)));
  }

  void log(const char* label, files::TrafficLog::Direction direction, std::string_view body) {
    if (log_ != nullptr) log_->record(label, direction, body);
  }
  void log_streamed(const char* label, files::TrafficLog::Direction direction) {
    log(label, direction, "(a message too long to be kept here)");
  }

  InterceptorOptions interceptor_options() const {
    return {.answers = options_.answers,
            .auto_open = options_.auto_open,
            .answer_server = options_.answer_server,
            .id_prefix = own_id_prefix(),
            .version = options_.version,
            .registry = &registry_,
            .server = registry_.by_program(program_name()),
            .server_arguments = options_.server_arguments};
  }

  Interceptor::Callbacks interceptor_callbacks() {
    return {.to_client =
                [this](const std::string& body) {
                  log("client", files::TrafficLog::Direction::from_server, body);
                  send(*to_client_, body);
                },
            .to_server =
                [this](const std::string& body) {
                  log("server", files::TrafficLog::Direction::to_server, body);
                  send(*to_server_, body);
                },
            .timers = loop_,
            .on_client_exit = [this] { end_.client_said_exit(); },
            .on_all_answered = [this] { end_.all_answered(); },
            .warn = [](const std::string& message) { tell(message); }};
  }

  static void tell(const std::string& message) {
    relay::write_shared_error("symbols: " + table::terminal_text(message) + "\n", milliseconds(0));
  }

  void unframed(const char* side, const Error& error) {
    tell(fmt::format(
        "{} does not speak the Language Server Protocol ({}); from here on all of it is passed on as it is",
        side, error.message));
  }

  // Of the answers to the server's requests; all since it had read everything, at most.
  std::uint64_t unread_by_server() {
    const std::uint64_t queued = to_server_->queued();
    if (queued == 0) answers_read_ = interceptor_.bytes_answered();
    return std::min(queued, interceptor_.bytes_answered() - answers_read_);
  }

  void resume() {
    if (from_client_) from_client_->resume();
    if (from_server_) from_server_->resume();
  }

  // --- SessionEnd::World

  bool client_waits() const override { return interceptor_.client_waits(); }
  void give_up_answers() override { interceptor_.give_up_answers(); }
  bool wants_shutdown() const override { return interceptor_.wants_shutdown(); }
  bool wants_exit() const override { return interceptor_.wants_exit(); }
  void send_shutdown(std::function<void()> answered) override { interceptor_.shutdown(std::move(answered)); }
  void send_exit() override { interceptor_.exit(); }
  bool client_message_cut() const override { return to_server_->frame_open(); }

  std::uint64_t written_to_server() const override { return to_server_->written(); }
  std::uint64_t written_to_client() const override { return to_client_->written(); }
  bool client_has_to_read() const override { return !to_client_->broken() && to_client_->queued() > 0; }
  bool client_stream_ended() const override { return from_client_->ended(); }
  bool server_stream_ended() const override { return from_server_->ended(); }

  void close_server_input() override { to_server_->close(); }
  void stop_server(milliseconds grace) override { server_->stop(grace); }
  void take_rest_of_output() override { from_server_->read_what_is_there(); }
  void close_streams(const std::string& why) override {
    from_server_->stop();
    // Requests that are on their way to a server that is gone.
    from_client_->read_what_is_there();
    interceptor_.server_lost(
        {fmt::format("the server {} {}", program_name(), why), "see its standard error"});
    from_client_->stop();
    to_client_->close();
  }
  void warn(const std::string& message) override { tell(message); }
  void done(process::ExitStatus status) override {
    status_ = status;
    loop_.stop();
  }

  std::string program_name() const { return std::filesystem::path(options_.program).filename().string(); }

  relay::EventLoop& loop_;
  process::StartChild start_child_;
  ClientStreams client_;
  ProxyOptions options_;
  files::TrafficLog* log_;
  TrafficStats stats_;
  servers::ServerRegistry registry_ = servers::ServerRegistry::built_in();
  SessionEnd end_{*this, loop_};
  Interceptor interceptor_;
  Pipe to_server_pipe_;
  Pipe from_server_pipe_;
  std::unique_ptr<process::ChildProcess> server_;
  std::optional<relay::StandardStream> client_input_;
  std::optional<relay::StandardStream> client_output_;
  std::optional<relay::ByteWriter> to_client_;
  std::optional<relay::ByteWriter> to_server_;
  std::optional<relay::RelayDirection> from_client_;
  std::optional<relay::RelayDirection> from_server_;
  std::uint64_t answers_read_ = 0;  // of interceptor_.bytes_answered()
  process::ExitStatus status_;
};

ProxySession::ProxySession(relay::EventLoop& loop, process::StartChild start_child, ClientStreams client,
                           ProxyOptions options, files::TrafficLog* log)
    : impl_(std::make_unique<Impl>(loop, std::move(start_child), client, std::move(options), log)) {}
ProxySession::~ProxySession() = default;
Result<void> ProxySession::start() {
  return impl_->start();
}
int ProxySession::run() {
  return impl_->run();
}
void ProxySession::told_to_end() {
  impl_->told_to_end();
}

}  // namespace symbols::session
