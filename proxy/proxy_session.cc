#include "proxy/proxy_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "lsp/frame.h"
#include "lsp/json_ascii.h"
#include "proxy/byte_writer.h"
#include "proxy/event_loop.h"
#include "proxy/interceptor.h"
#include "proxy/output_stream.h"
#include "proxy/relay_direction.h"
#include "proxy/server_process.h"
#include "proxy/server_registry.h"
#include "proxy/standard_stream.h"
#include "proxy/terminal_text.h"
#include "proxy/traffic_log.h"
#include "proxy/traffic_stats.h"

namespace symbols::proxy {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// A client that has closed its end may still read: its last requests are given this long.
constexpr milliseconds last_answers_limit{2000};
constexpr milliseconds shutdown_limit{2000};  // for the server's answer to shutdown
// After exit, before SIGTERM: a server whose client says goodbye may have something to finish (clangd: 7 s on
// a busy machine), one that nobody waits for has less.
constexpr milliseconds exit_grace{10'000};
constexpr milliseconds lost_grace{3000};
// After the server's end, how long its output is waited for while something else (a grandchild) holds it
// open.
constexpr milliseconds drain_limit{500};
// A client that takes nothing for so long does not get the rest.
constexpr milliseconds stalled_client_limit{10'000};
constexpr milliseconds leaving_client_limit{1000};  // where it has told us to end

// Both ends of a pipe; ours does not block.
struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(read);
    close(write);
  }

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  static void close(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
  static int give_away(int& end) {
    ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return std::exchange(end, -1);
  }
};

// Of this run alone: a proxy may stand behind a proxy, and each would take the other's ids for its own.
std::string own_id_prefix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("symbols-proxy-{}-{:x}-", ::getpid(),
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count() & 0xFFFFF);
}

// A longer turn for this process than others have (SCHED_OTHER's slice, which Linux 6.12 and later take from here).
// Of two processes that wake each other the one with the longer turn lets the other finish: without it a
// request and its reply took a fifth more, in needless switches between client, server and us. Measured with
// other work on the same core too, where it helps more. To be called after the server is started, which would
// inherit it.
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

class ProxySession::Impl {
 public:
  Impl(const ProxyArguments& arguments, std::string program, TrafficLog* log)
      : arguments_(arguments),
        program_(std::move(program)),
        log_(log),
        interceptor_(interceptor_options(), interceptor_callbacks(), arguments_.stats ? &stats_ : nullptr) {}

  ~Impl() {
    if (process_watch_ >= 0) ::close(process_watch_);
    interceptor_.close();  // its last words would go to streams that are gone
  }

  Result<void> start() {
    if (!to_server_pipe_.open() || !from_server_pipe_.open()) {
      return Error{fmt::format("cannot make a pipe to the server: {}", std::strerror(errno)),
                   "see the limits of this account (ulimit -n)"};
    }
    ProcessOptions options;
    options.program = program_;
    options.arguments.assign(arguments_.server.begin() + 1, arguments_.server.end());
    options.streams = {to_server_pipe_.read, from_server_pipe_.write, STDERR_FILENO};
    Result<std::unique_ptr<ServerProcess>> process = ServerProcess::start(
        io_, options, {.on_output = {}, .on_error_output = {}, .on_exit = [this](ExitStatus status) {
                         server_exited(status);
                       }});
    if (!process) return process.error();
    process_ = std::move(*process);
    Pipe::close(to_server_pipe_.read);
    Pipe::close(from_server_pipe_.write);
    let_others_finish();
    // Only now: what is watched when a process is started is watched in the child too.
    open_streams();
    return {};
  }

  int run() {
    watch_signals();
    watch_process();
    from_client_->start();
    from_server_->start();
    loop_.run();
    if (arguments_.stats) {
      write_error(stats_.report(), milliseconds(1000));
    }
    return status_.signal != 0 ? 128 + status_.signal : status_.code;
  }

 private:
  void open_streams() {
    client_input_.emplace(STDIN_FILENO);
    client_output_.emplace(STDOUT_FILENO);
    to_client_.emplace(loop_, client_output_->release(),
                       ByteWriter::Callbacks{.on_empty = [this] { client_took_all(); },
                                             .on_broken = [this](int) { client_is_gone(); }});
    to_server_.emplace(loop_, Pipe::give_away(to_server_pipe_.write),
                       ByteWriter::Callbacks{.on_empty = [this] { resume(); },
                                             .on_broken = [this](int) { server_takes_nothing(); }});
    const bool may_splice = !sees_everything();
    from_client_.emplace(loop_, client_input_->release(), *to_server_, *to_client_, may_splice,
                         RelayDirection::Callbacks{.messages = client_messages(),
                                                   .on_end = [this] { client_ended(); },
                                                   .on_hangup = [this] { client_hung_up(); }});
    from_server_.emplace(loop_, Pipe::give_away(from_server_pipe_.read), *to_client_, *to_server_, may_splice,
                         RelayDirection::Callbacks{.messages = server_messages(),
                                                   .on_end = [this] { server_output_ended(); },
                                                   .cut_header_passes = true});
  }

  // Whether every message is gathered, for the log or to be written in ASCII, and not only those that are
  // intercepted.
  bool sees_everything() const { return log_ != nullptr || arguments_.ascii; }

  MessageRelay::Callbacks client_messages() {
    return {.forward = {},
            .judge =
                [this](std::string_view start, bool whole) {
                  const MessageRelay::Verdict verdict = interceptor_.judge_client(start, whole);
                  return sees_everything() ? MessageRelay::Verdict::gather : verdict;
                },
            .take =
                [this](std::string_view body) {
                  if (!sees_everything()) return interceptor_.take_client(body);
                  log("client", TrafficLog::Direction::to_server, body);
                  const bool taken = interceptor_.judge_client(body, true) == MessageRelay::Verdict::gather &&
                                     interceptor_.take_client(body);
                  return taken || take_as_ascii(*to_server_, body);
                },
            .streamed =
                [this](std::string_view tail) {
                  log_streamed("client", TrafficLog::Direction::to_server);
                  interceptor_.client_streamed(tail);
                },
            .on_unframed = [this](const Error& error) { unframed("the client", error); }};
  }

  MessageRelay::Callbacks server_messages() {
    return {.forward = {},
            .judge =
                [this](std::string_view start, bool whole) {
                  const MessageRelay::Verdict verdict = interceptor_.judge_server(start, whole);
                  return sees_everything() ? MessageRelay::Verdict::gather : verdict;
                },
            .take =
                [this](std::string_view body) {
                  if (!sees_everything()) return interceptor_.take_server(body);
                  log("server", TrafficLog::Direction::from_server, body);
                  const bool taken = interceptor_.judge_server(body, true) == MessageRelay::Verdict::gather &&
                                     interceptor_.take_server(body);
                  return taken || take_as_ascii(*to_client_, body);
                },
            .streamed =
                [this](std::string_view tail) {
                  log_streamed("server", TrafficLog::Direction::from_server);
                  interceptor_.server_streamed(tail);
                },
            .on_unframed = [this](const Error& error) { unframed("the server", error); }};
  }

  // With --ascii: writes a message that passes, if it has to be rewritten for that.
  bool take_as_ascii(ByteWriter& to, std::string_view body) {
    if (!arguments_.ascii) return false;
    std::string storage;
    const std::string_view ascii = lsp::ascii_json(body, storage);
    if (ascii.data() == body.data()) return false;
    to.write_frame(lsp::frame(ascii));
    return true;
  }

  // A message of our own.
  void send(ByteWriter& to, const std::string& body) {
    std::string storage;
    to.write_frame(lsp::frame(arguments_.ascii ? lsp::ascii_json(body, storage) : std::string_view(body)));
  }

  void log(const char* label, TrafficLog::Direction direction, std::string_view body) {
    if (log_ != nullptr) log_->record(label, direction, body);
  }
  void log_streamed(const char* label, TrafficLog::Direction direction) {
    log(label, direction, "(a message too long to be kept here)");
  }

  InterceptorOptions interceptor_options() const {
    const std::string name = std::filesystem::path(program_).filename().string();
    return {.answers = arguments_.answers,
            .auto_open = arguments_.auto_open,
            .answer_server = arguments_.answer_server,
            .id_prefix = own_id_prefix(),
            .version = program_version(),
            .registry = &registry_,
            .server = registry_.by_program(name)};
  }

  Interceptor::Callbacks interceptor_callbacks() {
    return {.to_client =
                [this](const std::string& body) {
                  log("client", TrafficLog::Direction::from_server, body);
                  send(*to_client_, body);
                },
            .to_server =
                [this](const std::string& body) {
                  log("server", TrafficLog::Direction::to_server, body);
                  send(*to_server_, body);
                },
            .later = [this](milliseconds delay,
                            std::function<void()> action) { loop_.later(delay, std::move(action)); },
            // Not at once: what the client sent is still on its way to the server.
            .on_client_exit =
                [this] {
                  client_said_exit_ = true;
                  loop_.later(milliseconds(0), [this] { close_server(milliseconds(0)); });
                },
            .on_all_answered =
                [this] {
                  if (client_ended_) loop_.later(milliseconds(0), [this] { close_server(milliseconds(0)); });
                },
            .warn = [](const std::string& message) { tell(message); }};
  }

  static void tell(const std::string& message) {
    write_error("symbols: " + terminal_text(message) + "\n", milliseconds(0));
  }

  // A standard error that nobody reads must not hold up the messages: what it has no room for is dropped.
  static void write_error(const std::string& text, milliseconds patience) {
    OutputStream stream(STDERR_FILENO);
    stream.write(text);
    while (stream.pending() > 0) {
      const std::size_t before = stream.pending();
      if (!stream.flush_some(patience) || stream.pending() == before) return;
    }
  }

  void unframed(const char* side, const Error& error) {
    tell(fmt::format(
        "{} does not speak the Language Server Protocol ({}); from here on all of it is passed on as it is",
        side, error.message));
  }

  void watch_signals() {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int) {
      if (std::exchange(told_to_end_, true)) {
        stop_process(milliseconds(0));
      } else {
        close_server(milliseconds(0));
      }
    });
  }

  // --- the process, whose end Asio waits for: its loop is run where there is something for it to do

  void watch_process() {
    process_watch_ = static_cast<int>(::syscall(SYS_pidfd_open, process_->pid(), 0));
    if (process_watch_ < 0) {
      run_process_loop();  // a kernel before 5.3
      return;
    }
    ::fcntl(process_watch_, F_SETFD, FD_CLOEXEC);
    loop_.watch(process_watch_, EventLoop::Wanted::input, [this] {
      loop_.unwatch(process_watch_);
      run_process_loop();
    });
  }

  void stop_process(milliseconds grace) {
    process_->stop(grace);
    run_process_loop();
  }

  void run_process_loop() {
    constexpr milliseconds tick{10};
    io_.restart();
    io_.poll();
    if (server_exited_ || std::exchange(process_loop_runs_, true)) return;
    loop_.later(tick, [this] {
      process_loop_runs_ = false;
      run_process_loop();
    });
  }

  void resume() {
    if (from_client_) from_client_->resume();
    if (from_server_) from_server_->resume();
  }

  // --- the client's end

  void client_ended() {
    client_ended_ = true;
    close_server(interceptor_.client_waits() ? last_answers_limit : milliseconds(0));
  }

  // The server does not take what the client has sent before it closed: it is not given for ever.
  void client_hung_up() {
    client_ended_ = true;
    loop_.later(lost_grace, [this, written = to_server_->written()] {
      if (from_client_->ended() || server_exited_) return;
      if (written == to_server_->written()) {
        close_server(milliseconds(0));
      } else {
        client_hung_up();
      }
    });
  }

  void client_is_gone() {
    loop_.later(milliseconds(0), [this] {
      close_server(milliseconds(0));
      finish_if_done();
    });
  }

  // shutdown and exit, with limits. After `patience`, or at once when called again without.
  void close_server(milliseconds patience) {
    if (server_exited_ || closing_) return;
    loop_.cancel(closing_timer_);
    if (patience.count() > 0) {
      closing_timer_ = loop_.later(patience, [this] { close_server(milliseconds(0)); });
      return;
    }
    closing_ = true;
    interceptor_.give_up_answers();
    // A client that is gone in the midst of a message has left nothing that could follow it.
    if (!interceptor_.wants_shutdown() || to_server_->frame_open()) {
      end_server();
      return;
    }
    interceptor_.shutdown([this] { loop_.later(milliseconds(0), [this] { end_server(); }); });
    closing_timer_ = loop_.later(shutdown_limit, [this] { end_server(); });
  }

  void end_server() {
    if (server_exited_ || std::exchange(ending_, true)) return;
    loop_.cancel(closing_timer_);
    if (interceptor_.wants_exit()) interceptor_.exit();
    to_server_->close();
    stop_process(client_said_exit_ ? exit_grace : lost_grace);
  }

  // --- the server's end

  // Its standard input is closed: it is ending, or it is nobody's server any more.
  void server_takes_nothing() {
    loop_.later(milliseconds(0), [this] {
      if (!server_exited_ && !closing_) lose_server();
    });
  }

  // Nothing can be said to it, or it can say nothing: its input ends, and it has a moment to end itself.
  void lose_server() {
    to_server_->close();
    stop_process(lost_grace);
  }

  void server_output_ended() {
    if (server_exited_) {
      finish();
    } else if (!closing_) {
      lose_server();
    }
  }

  void server_exited(ExitStatus status) {
    server_exited_ = true;
    status_ = status;
    loop_.cancel(closing_timer_);
    watch_for_stall();
    if (from_server_->ended()) {
      finish();
    } else {
      wait_for_output();
    }
  }

  void wait_for_output() {
    drain_timer_ = loop_.later(drain_limit, [this] {
      if (finished_) return;
      // A slow client still has to be given what the server wrote.
      if (to_client_->queued() > 0) {
        wait_for_output();
      } else {
        from_server_->read_what_is_there();
        finish();
      }
    });
  }

  // No more will come of the server: what the client waits for gets an error, and is then written out.
  void finish() {
    if (std::exchange(finished_, true)) return;
    loop_.cancel(drain_timer_);
    from_server_->stop();
    // Requests that are on their way to a server that is gone.
    from_client_->read_what_is_there();
    interceptor_.server_lost(
        {fmt::format("the server {} {}", program_name(), status_.text()), "see its standard error"});
    from_client_->stop();
    to_client_->close();
    finish_if_done();
  }

  void client_took_all() {
    resume();
    finish_if_done();
  }

  void finish_if_done() {
    if (!finished_ || (!to_client_->broken() && to_client_->queued() > 0)) return;
    done_ = true;
    loop_.stop();
  }

  // The limit of waiting for a client that does not read, once the server has ended.
  void watch_for_stall(milliseconds waited = milliseconds(0)) {
    static constexpr milliseconds step{250};
    loop_.later(step, [this, waited, written = to_client_->written()] {
      if (done_) return;
      const bool stalled = to_client_->queued() > 0 && written == to_client_->written();
      const milliseconds limit = told_to_end_ || client_ended_ ? leaving_client_limit : stalled_client_limit;
      if (!stalled) {
        watch_for_stall();
      } else if (waited + step < limit) {
        watch_for_stall(waited + step);
      } else {
        tell("the client does not read; the rest of what the server wrote is dropped");
        loop_.stop();
      }
    });
  }

  std::string program_name() const { return std::filesystem::path(program_).filename().string(); }

  ProxyArguments arguments_;
  std::string program_;
  TrafficLog* log_;
  TrafficStats stats_;
  ServerRegistry registry_ = ServerRegistry::built_in();
  EventLoop loop_;
  asio::io_context io_{1};  // of the server's process alone
  Interceptor interceptor_;
  EventLoop::Timer closing_timer_ = 0;
  EventLoop::Timer drain_timer_ = 0;
  Pipe to_server_pipe_;
  Pipe from_server_pipe_;
  std::unique_ptr<ServerProcess> process_;
  std::optional<StandardStream> client_input_;
  std::optional<StandardStream> client_output_;
  std::optional<ByteWriter> to_client_;
  std::optional<ByteWriter> to_server_;
  std::optional<RelayDirection> from_client_;
  std::optional<RelayDirection> from_server_;
  ExitStatus status_;
  bool client_ended_ = false;
  bool client_said_exit_ = false;
  bool closing_ = false;  // the server is being told of the end
  bool ending_ = false;   // and has been sent exit
  bool server_exited_ = false;
  bool finished_ = false;  // and all it wrote was read
  bool done_ = false;
  bool told_to_end_ = false;
  bool process_loop_runs_ = false;
  int process_watch_ = -1;
};

ProxySession::ProxySession(const ProxyArguments& arguments, std::string program, TrafficLog* log)
    : impl_(std::make_unique<Impl>(arguments, std::move(program), log)) {}
ProxySession::~ProxySession() = default;
Result<void> ProxySession::start() {
  return impl_->start();
}
int ProxySession::run() {
  return impl_->run();
}

}  // namespace symbols::proxy
