#include "proxy/session/proxy_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/filesystem.h"
#include "lsp/frame.h"
#include "lsp/json/json.h"
#include "lsp/messages.h"
#include "proxy/system/descriptors.h"
#include "proxy/system/processes.h"
#include "table/escape.h"

namespace symbols::session {
namespace {

// Unique to this run: with a proxy behind a proxy each would take the other's ids for its own.
std::string own_id_prefix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("symbols-proxy-{}-{:x}-", ::getpid(),
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count() & 0xFFFFF);
}

}  // namespace

ProxySession::ProxySession(io::EventLoop& loop, ProxyOptions options, files::TrafficLog* log)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      lifecycle_(*this, loop_, program_name(), options_.restart),
      interceptor_(options_, own_id_prefix(), registry_, registry_.by_program(program_name()),
                   interceptor_callbacks(), options_.stats ? &stats_ : nullptr) {}

Result<void> ProxySession::start() {
  const Result<int> from_server = start_process();
  if (!from_server) return from_server.error();
  client_input_.emplace(STDIN_FILENO);
  client_output_.emplace(STDOUT_FILENO);
  to_client_.emplace(loop_, client_output_->release(),
                     io::ByteWriter::Callbacks{.on_empty =
                                                   [this] {
                                                     resume();
                                                     lifecycle_.client_took_all();
                                                   },
                                               .on_broken = [this](int) { lifecycle_.client_gone(); }});
  from_client_.emplace(
      loop_, client_input_->release(), to_server_, *to_client_,
      io::RelayDirection::Callbacks{.messages = messages_of(Sender::client),
                                    .on_end = [this] { lifecycle_.client_ended(); },
                                    .unread_answers = [this] { return to_client_->unwritten(); },
                                    .on_hangup = [this] { lifecycle_.client_hung_up(); }});
  listen_to_server(*from_server);
  return {};
}

// Starts a server to which to_server_ writes from now on, and returns our end of its output.
Result<int> ProxySession::start_process() {
  system::Pipe to_server, from_server, errors;
  if (!to_server.open() || !from_server.open() || (options_.confine && !errors.open())) {
    return Error{fmt::format("cannot make a pipe to the server: {}", std::strerror(errno)),
                 "see the limits of this account (ulimit -n)"};
  }
  process::ProcessOptions process{.program = options_.program,
                                  .arguments = options_.server_arguments,
                                  .inherits_descriptors = !options_.confine};
  if (options_.confine) {
    Result<process::MadeFolder> made = process::MadeFolder::make();
    if (!made) return made.error();
    process.environment = made->environment();
    process.only_writable_folders = {made->path()};
    made_folder_.emplace(std::move(*made));  // that of the server before, if there was one, goes
  }
  Result<std::unique_ptr<process::ChildProcess>> server = process::start_child(
      loop_, process,
      {to_server.read.get(), from_server.write.get(), errors.write ? errors.write.get() : STDERR_FILENO},
      [this](process::ExitStatus status) { lifecycle_.server_exited(status); });
  if (!server) return server.error();
  server_ = std::move(*server);
  if (errors.read) {
    if (!error_copy_) error_copy_.emplace(loop_, STDERR_FILENO);
    error_copy_->copy_from(system::Pipe::give_away(errors.read));
  }
  system::take_long_turns(true);
  to_server_.replace(system::Pipe::give_away(to_server.write));
  return system::Pipe::give_away(from_server.read);
}

int ProxySession::run() {
  from_client_->start();
  from_server_->start();
  lifecycle_.server_started();
  loop_.run();
  if (error_copy_) error_copy_->finish(milliseconds(1000));
  if (options_.stats) io::write_shared_error(stats_.report(), milliseconds(1000));
  return status_.signal != 0 ? 128 + status_.signal : status_.code;
}

void ProxySession::listen_to_server(int from_server) {
  from_server_.emplace(loop_, from_server, *to_client_, to_server_,
                       io::RelayDirection::Callbacks{
                           .messages = messages_of(Sender::server),
                           .on_end = [this] { lifecycle_.server_output_ended(); },
                           .unread_answers = [this] { return unread_by_server(); },
                           .on_last_words = [this](std::string_view words) { take_last_words(words); },
                           .may_rest = [this] { return interceptor_.awaits_many_replies(); }});
}

io::MessageRelay::Callbacks ProxySession::messages_of(Sender sender) {
  const auto take = [this, sender](std::string_view body) {
    if (sender == Sender::client) {
      log("client", files::TrafficLog::Direction::to_server, body);
      return interceptor_.take_client(body) || take_as_ascii(to_server_, body);
    }
    log("server", files::TrafficLog::Direction::from_server, body);
    return interceptor_.take_server(body) || take_as_ascii(*to_client_, body);
  };
  const auto unframed = [this, sender](const Error& error) {
    unframed_ = true;
    tell(
        fmt::format("the {} does not speak the Language Server Protocol ({}); from here on all of it is "
                    "passed on as it is",
                    sender == Sender::client ? "client" : "server", error.message));
  };
  return {.forward = {}, .take = take, .on_unframed = unframed};
}

// With --ascii: writes a message that passes, if it has to be rewritten for that.
bool ProxySession::take_as_ascii(io::ByteWriter& to, std::string_view body) {
  if (!options_.ascii) return false;
  std::string storage;
  const std::string_view ascii = lsp::ascii_json(body, storage);
  if (ascii.data() == body.data()) return false;
  to.write(lsp::frame(ascii));
  return true;
}

// A message of our own.
void ProxySession::send(io::ByteWriter& to, const std::string& body) {
  std::string storage;
  to.write(lsp::frame(options_.ascii ? lsp::ascii_json(body, storage) : std::string_view(body)));
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
                send(to_server_, body);
              },
          .timers = loop_,
          .on_client_exit = [this] { lifecycle_.exit_received(); },
          .on_all_answered = [this] { lifecycle_.all_answered(); },
          .warn = [](const std::string& message) { tell(message); }};
}

void ProxySession::tell(const std::string& message) {
  io::write_shared_error("symbols: " + table::terminal_text(message) + "\n", milliseconds(0));
}

// The last bytes of a server's output, if they are not a frame: "error: no such option", for instance. They
// pass, unless frames of another server may follow them.
void ProxySession::take_last_words(std::string_view words) {
  if (can_be_replaced())
    return tell(
        fmt::format("the last that the server {} wrote to its standard output: {}", program_name(), words));
  unframed_ = true;
  to_client_->write(words);
}

// An upper bound of the bytes of answers to the server not yet read: all since its input was last empty.
std::uint64_t ProxySession::unread_by_server() {
  const std::uint64_t queued = to_server_.unwritten();
  if (queued == 0) answers_read_ = interceptor_.bytes_answered();
  return std::min(queued, interceptor_.bytes_answered() - answers_read_);
}

void ProxySession::resume() {
  if (from_client_) from_client_->resume();
  if (from_server_) from_server_->resume();
}

std::string ProxySession::program_name() const {
  return fs::path(options_.program).filename().string();
}

// --- SessionLifecycle::World

bool ProxySession::can_be_replaced() const {
  return interceptor_.can_be_replaced() && !unframed_ && !to_client_->broken();
}

void ProxySession::server_gone(const std::string& why) {
  from_server_->stop();
  to_server_.replace(-1);
  server_.reset();
  from_client_->pause();
  interceptor_.server_gone(why);
}

Result<void> ProxySession::start_server() {
  system::take_long_turns(false);
  const Result<int> from_server = start_process();
  if (!from_server) return from_server.error();
  answers_read_ = interceptor_.bytes_answered();
  listen_to_server(*from_server);
  from_server_->start();
  return {};
}

// While the client does not read, the server is not read either. Before initialize and after shutdown it is
// not replaced, so it must not be killed.
bool ProxySession::owes_reply() const {
  return !client_has_to_read() && can_be_replaced() && interceptor_.server_owes();
}

void ProxySession::show_to_client(const std::string& message) {
  send(*to_client_, lsp::notification_body("window/showMessage",
                                           R"({"type":1,"message":)" + lsp::json_string(message) + "}"));
}

void ProxySession::close_streams(const std::string& why) {
  from_server_->stop();
  // Requests on their way to the server that is gone get an error, too.
  from_client_->read_what_is_there();
  interceptor_.server_lost({fmt::format("the server {} {}", program_name(), why),
                            options_.confine
                                ? "see its standard error; it was confined: try it without --confine"
                                : "see its standard error"});
  from_client_->stop();
  to_client_->close();
}

void ProxySession::done(process::ExitStatus status) {
  status_ = status;
  loop_.stop();
}

}  // namespace symbols::session
