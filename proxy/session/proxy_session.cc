#include "proxy/session/proxy_session.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "lsp/frame.h"
#include "lsp/json/json_ascii.h"
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

ProxySession::ProxySession(relay::EventLoop& loop, process::StartChild start_child, ClientStreams client,
                           ProxyOptions options, files::TrafficLog* log)
    : loop_(loop),
      start_child_(std::move(start_child)),
      client_(client),
      options_(std::move(options)),
      log_(log),
      interceptor_(options_, own_id_prefix(), registry_, registry_.by_program(program_name()),
                   interceptor_callbacks(), options_.stats ? &stats_ : nullptr) {}

ProxySession::~ProxySession() {
  interceptor_.close();  // what it would say yet would go to streams that are gone
}

Result<void> ProxySession::start() {
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

int ProxySession::run() {
  from_client_->start();
  from_server_->start();
  loop_.run();
  if (options_.stats) relay::write_shared_error(stats_.report(), milliseconds(1000));
  return status_.signal != 0 ? 128 + status_.signal : status_.code;
}

void ProxySession::open_streams() {
  client_input_.emplace(client_.input);
  client_output_.emplace(client_.output);
  to_client_.emplace(loop_, client_output_->release(),
                     relay::ByteWriter::Callbacks{.on_empty =
                                                      [this] {
                                                        resume();
                                                        end_.client_took_all();
                                                      },
                                                  .on_broken = [this](int) { end_.client_gone(); }});
  to_server_.emplace(loop_, Pipe::give_away(to_server_pipe_.write),
                     relay::ByteWriter::Callbacks{.on_empty = [this] { resume(); },
                                                  .on_broken = [this](int) { end_.server_takes_nothing(); }});
  const bool may_splice = !sees_everything();
  from_client_.emplace(loop_, client_input_->release(), *to_server_, *to_client_, may_splice,
                       relay::RelayDirection::Callbacks{
                           .messages = messages({.label = "client",
                                                 .direction = files::TrafficLog::Direction::to_server,
                                                 .judge = &Interceptor::judge_client,
                                                 .take = &Interceptor::take_client,
                                                 .streamed = &Interceptor::client_streamed,
                                                 .to = *to_server_}),
                           .on_end = [this] { end_.client_ended(); },
                           .unread_answers = [this] { return to_client_->queued(); },
                           .on_hangup = [this] { end_.client_hung_up(); }});
  from_server_.emplace(loop_, Pipe::give_away(from_server_pipe_.read), *to_client_, *to_server_, may_splice,
                       relay::RelayDirection::Callbacks{
                           .messages = messages({.label = "server",
                                                 .direction = files::TrafficLog::Direction::from_server,
                                                 .judge = &Interceptor::judge_server,
                                                 .take = &Interceptor::take_server,
                                                 .streamed = &Interceptor::server_streamed,
                                                 .to = *to_client_}),
                           .on_end = [this] { end_.server_output_ended(); },
                           .unread_answers = [this] { return unread_by_server(); },
                           .cut_header_passes = true,
                           .on_hangup = {},
                           .may_gather = [this] { return interceptor_.awaits_many_replies(); },
                           .may_rest = [this] { return interceptor_.awaits_many_small_portions(); }});
}

relay::MessageRelay::Callbacks ProxySession::messages(const Sender& sender) {
  using Verdict = relay::MessageRelay::Verdict;
  return {.forward = {},
          .judge =
              [this, sender](std::string_view start, bool whole) {
                const Verdict verdict = (interceptor_.*sender.judge)(start, whole);
                return sees_everything() ? Verdict::gather : verdict;
              },
          .take =
              [this, sender](std::string_view body) {
                if (!sees_everything()) return (interceptor_.*sender.take)(body);
                log(sender.label, sender.direction, body);
                const bool taken = (interceptor_.*sender.judge)(body, true) == Verdict::gather &&
                                   (interceptor_.*sender.take)(body);
                return taken || take_as_ascii(sender.to, body);
              },
          .streamed =
              [this, sender](std::string_view tail) {
                log(sender.label, sender.direction, "(a message too long to be kept here)");
                (interceptor_.*sender.streamed)(tail);
              },
          .on_unframed =
              [sender](const Error& error) {
                tell(fmt::format(
                    "the {} does not speak the Language Server Protocol ({}); from here on all of it is "
                    "passed on as it is",
                    sender.label, error.message));
              }};
}

// With --ascii: writes a message that passes, if it has to be rewritten for that.
bool ProxySession::take_as_ascii(relay::ByteWriter& to, std::string_view body) {
  if (!options_.ascii) return false;
  std::string storage;
  const std::string_view ascii = lsp::ascii_json(body, storage);
  if (ascii.data() == body.data()) return false;
  to.write_frame(lsp::frame(ascii));
  return true;
}

// A message of our own.
void ProxySession::send(relay::ByteWriter& to, const std::string& body) {
  std::string storage;
  to.write_frame(lsp::frame(options_.ascii ? lsp::ascii_json(body, storage) : std::string_view(body)));
}

void ProxySession::log(const char* label, files::TrafficLog::Direction direction, std::string_view body) {
  if (log_ != nullptr) log_->record(label, direction, body);
}

Interceptor::Callbacks ProxySession::interceptor_callbacks() {
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

void ProxySession::tell(const std::string& message) {
  relay::write_shared_error("symbols: " + table::terminal_text(message) + "\n", milliseconds(0));
}

// Of the answers to the server's requests; all since it had read everything, at most.
std::uint64_t ProxySession::unread_by_server() {
  const std::uint64_t queued = to_server_->queued();
  if (queued == 0) answers_read_ = interceptor_.bytes_answered();
  return std::min(queued, interceptor_.bytes_answered() - answers_read_);
}

void ProxySession::resume() {
  if (from_client_) from_client_->resume();
  if (from_server_) from_server_->resume();
}

std::string ProxySession::program_name() const {
  return std::filesystem::path(options_.program).filename().string();
}

// --- SessionEnd::World

void ProxySession::close_streams(const std::string& why) {
  from_server_->stop();
  // Requests that are on their way to a server that is gone.
  from_client_->read_what_is_there();
  interceptor_.server_lost({fmt::format("the server {} {}", program_name(), why), "see its standard error"});
  from_client_->stop();
  to_client_->close();
}

void ProxySession::done(process::ExitStatus status) {
  status_ = status;
  loop_.stop();
}

}  // namespace symbols::session
