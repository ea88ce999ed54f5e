#include "proxy/engine/server_connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/uri.h"
#include "proxy/servers/filtered_database.h"
#include "proxy/servers/kept_folder.h"
#include "proxy/servers/mentions.h"
#include "table/escape.h"

namespace symbols::engine {
namespace {

using Direction = files::TrafficLog::Direction;

// Bounds our memory with a server that keeps sending requests and does not read the answers. What else it has
// to read is bounded by what we request ourselves.
constexpr std::uint64_t max_unread_answers = std::uint64_t{16} << 20;

// A server that loads a project ends one progress before it begins the next, so it counts as loaded only
// after this long without any.
constexpr milliseconds loaded_after{300};
// The largest replies have some MB; a server that announces more than this is broken.
constexpr std::uint64_t max_reply = std::uint64_t{512} << 20;
// How long a server that has closed its output gets to end: usually it is about to, and its status says why.
constexpr milliseconds lost_grace{3000};
// To answer shutdown, and then to end by itself after exit. TypeScript's takes 100 ms to end; clangd would
// first finish an index of the standard library, which takes 1.5 s and serves nothing.
constexpr milliseconds shutdown_limit{3000};
constexpr milliseconds exit_grace{300};

constexpr const char* see_log = "see what it says with --log FILE";

}  // namespace

ServerConnection::ServerConnection(io::Timers& timers, process::StartServer start_server,
                                   ConnectionOptions options, Callbacks callbacks)
    : timers_(timers),
      start_server_(std::move(start_server)),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      reader_(max_reply),
      session_(session_options(), session_callbacks()) {}

void ServerConnection::set_silence(milliseconds before_symbols, milliseconds after_symbols) {
  options_.silence_before_symbols = before_symbols;
  options_.silence_after_symbols = after_symbols;
}

void ServerConnection::start() {
  last_activity_ = timers_.now();
  std::string command = lsp::json_string(options_.server.command.program);
  for (const std::string& argument : options_.server.command.arguments)
    command += "," + lsp::json_string(argument);
  log(Direction::command, "[" + command + "]");
  if (const Result<void> started = start_process(); !started) {
    made_folder_.reset();
    index_ = Descriptor();
    // From the loop, like every other failure.
    stop_timer_.start(milliseconds(0), [this, error = started.error()] {
      fail("cannot be run: " + error.message,
           error.advice.empty() ? or_unconfined("check that it is installed and may be run") : error.advice);
      stopped();
    });
    return;
  }
  watch_silence();
  session_.initialize(
      [this](const Result<lsp::ServerCapabilities>& capabilities) { initialized(capabilities); });
}

void ServerConnection::initialized(const Result<lsp::ServerCapabilities>& capabilities) {
  if (!capabilities) return fail("cannot be used: " + capabilities.error().message, or_unconfined(see_log));
  if (over()) return;
  enter(State::loading);
  if (!options_.server.command.wait_for_progress) return ready();
  started_loading_ = timers_.now();
  wait_until_loaded();
}

void ServerConnection::stop() {
  if (over() || !process_) return;
  enter(State::stopping);
  if (index_) {
    // It would go on to write what it knows, which may be outdated, while the next one reads.
    process_->kill();
    index_ = Descriptor();
    return;
  }
  session_.shutdown([this] {
    stop_timer_.stop();
    if (process_) process_->stop(exit_grace);
  });
  stop_timer_.start(shutdown_limit, [this] {
    if (process_) process_->stop(milliseconds(0));
  });
}

void ServerConnection::abort() {
  if (state_ != State::failed) enter(State::stopping);
  if (process_) process_->stop(milliseconds(0));
}

std::string ServerConnection::description() const {
  std::string command = table::escaped(fmt::format("{} {}", options_.server.command.program,
                                                   fmt::join(options_.server.command.arguments, " ")));
  while (command.ends_with(' ')) command.pop_back();
  return fmt::format("{} ({})", options_.server.name, command);
}

lsp::SessionOptions ServerConnection::session_options() const {
  return {.root_uri = options_.root.empty() ? std::string() : lsp::file_uri(options_.root),
          .initialization_options = options_.server.command.initialization_options,
          // Node.js servers probe us every 3 s by signal 0. A confined one would be refused, and end.
          .process_id = options_.server.only_writable_folders ? 0 : ::getpid(),
          .version = SYMBOLS_VERSION,
          .files_found_logs = options_.server.command.files_found_logs,
          // One that says when it has found its files has progress for something else.
          .reports_loading =
              options_.server.command.files_found_logs.empty() || options_.server.command.wait_for_progress,
          .versioned_diagnostics = options_.server.command.versioned_diagnostics};
}

lsp::ClientSession::Callbacks ServerConnection::session_callbacks() {
  return {.send =
              [this](const std::string& body) {
                if (!process_ || state_ == State::failed) return;
                log(Direction::to_server, body);
                process_->write(lsp::frame(body));
              },
          .on_activity = [this] { last_activity_ = timers_.now(); }};
}

Result<void> ServerConnection::start_process() {
  const ServerLaunch& server = options_.server;
  // Not the root of a project that is not trusted: what programs find in their working directory is code for
  // many (`python3 -c`, the empty element of a path, the settings of version managers).
  const bool is_in_root = !options_.root.empty() && !server.command.inherited_environment;
  process::ProcessOptions process{.program = server.command.program,
                                  .arguments = server.command.arguments,
                                  .working_directory = is_in_root ? options_.root : "/",
                                  .environment = server.command.environment,
                                  .inherited_environment = server.command.inherited_environment,
                                  .only_writable_folders = server.only_writable_folders};
  if (server.only_writable_folders || server.filtered_database) {
    Result<process::MadeFolder> made = process::MadeFolder::make();
    if (!made) return made.error();
    if (process.only_writable_folders) process.only_writable_folders->push_back(made->path());
    if (server.filtered_database) {
      const std::string& folder = server.copy_folder.empty() ? made->path() : server.copy_folder;
      const Result<std::size_t> left_out =
          servers::write_filtered_database(*server.filtered_database, folder, options_.root);
      if (!left_out) return left_out.error();
      // Where the kernel keeps it from writing, it is for other reasons that it gets a copy.
      if (!server.only_writable_folders) flags_left_out_ = *left_out;
      std::erase_if(process.arguments, [](const std::string& argument) {
        return argument.find("-enable-config") < 2 || argument.find("-compile-commands-dir=") < 2;
      });
      process.arguments.insert(process.arguments.end(),
                               {"--enable-config=0", "--compile-commands-dir=" + folder});
    }
    const std::vector<std::string> variables = made->environment();
    process.environment.insert(process.environment.end(), variables.begin(), variables.end());
    made_folder_.emplace(std::move(*made));
    if (process.only_writable_folders && !options_.root.empty() && !server.command.kept_caches.empty()) {
      // Without a place for them it starts with empty ones, in the folder made for it.
      if (const auto kept = servers::kept_folder("caches", options_.root, {}, {.target = options_.root})) {
        process.only_writable_folders->push_back(kept->string());
        for (const std::string& name : server.command.kept_caches)
          process.environment.push_back(fmt::format("{}={}/{}", name, kept->string(), name));
      }
    }
  }
  if (!server.index_folder.empty())
    index_ = servers::forget_outdated_index(server.index_folder, options_.root);
  Result<std::unique_ptr<process::ServerProcess>> started =
      start_server_(process, {.on_output = [this](std::string_view bytes) { receive(bytes); },
                              .on_error_output =
                                  [this](std::string_view bytes) {
                                    stderr_tail_.add(bytes);
                                    log(Direction::standard_error, bytes);
                                  },
                              .on_exit = [this](process::ExitStatus status) { process_ended(status); },
                              .on_output_closed = [this] { output_closed(); }});
  if (!started) return started.error();
  process_ = std::move(*started);
  return {};
}

void ServerConnection::log(Direction direction, std::string_view bytes) const {
  if (options_.log != nullptr) options_.log->record(options_.server.name, direction, bytes);
}

void ServerConnection::receive(std::string_view bytes) {
  while (state_ != State::failed) {
    const std::string_view unread = bytes;
    const Result<std::optional<std::string_view>> body = reader_.next(bytes);
    if (!body) {
      log(Direction::from_server, unread);
      return fail("does not speak the Language Server Protocol: " + body.error().message,
                  "check its command; most servers need an argument such as --stdio");
    }
    if (!*body) return;
    log(Direction::from_server, **body);
    if (const Result<void> received = session_.receive(**body); !received)
      return fail("sent what is " + received.error().message, see_log);
    if (process_ && process_->unwritten() == 0) answers_read_ = session_.bytes_answered();
    if (session_.bytes_answered() - answers_read_ > max_unread_answers)
      return fail("sends requests without reading the answers", see_log);
  }
}

void ServerConnection::wait_until_loaded() {
  loading_timer_.start(loaded_after, [this] {
    // Another version of it may log otherwise.
    const bool may_find_files =
        session_.is_loading() && timers_.now() - started_loading_ < options_.silence_before_symbols / 2;
    if (session_.progress().active() || may_find_files || timers_.now() - last_activity_ < loaded_after)
      return wait_until_loaded();
    ready();
  });
}

void ServerConnection::ready() {
  enter(State::ready);
  last_activity_ = timers_.now();
  callbacks_.on_ready();
}

// Runs until the connection is over, so that later requests are watched too.
void ServerConnection::watch_silence() {
  const io::Timers::Clock::time_point now = timers_.now();
  // The server owes us a reply, or the loading that its replies wait for.
  const bool owes_us = session_.requests_in_flight() > 0 || state_ < State::ready;
  if (!owes_us) last_activity_ = now;
  const auto silence = std::chrono::duration_cast<milliseconds>(now - last_activity_);
  const milliseconds limit = state_ < State::ready || callbacks_.waits_for_symbols()
                                 ? options_.silence_before_symbols
                                 : options_.silence_after_symbols;
  if (silence >= limit)
    return fail(fmt::format("has not answered for {:g} s", static_cast<double>(limit.count()) / 1000),
                "give it more time with --timeout, or see what it does with --log FILE");
  // A request sent after an idle time has the full limit, and the limit itself changes: so check in between.
  const milliseconds step = std::min(options_.silence_before_symbols, options_.silence_after_symbols) / 8;
  silence_timer_.start(std::min(limit - silence, std::max(step, milliseconds(10))),
                       [this] { watch_silence(); });
}

// Replaces the watch for silence, as nothing more can come.
void ServerConnection::output_closed() {
  if (over()) return;
  silence_timer_.start(lost_grace, [this] { fail("closed its output and keeps running", see_log); });
}

void ServerConnection::process_ended(process::ExitStatus status) {
  fail(status.text() + (state_ == State::starting ? " before it answered initialize" : ""),
       or_unconfined("run the command by itself"));
  process_.reset();
  made_folder_.reset();
  index_ = Descriptor();
  stopped();
}

// Where the kernel's limits may be the cause, the other thing to try.
std::string ServerConnection::or_unconfined(std::string advice) const {
  return options_.server.only_writable_folders ? "it was confined: try --no-confine, and " + advice : advice;
}

// To be called last: the callback may destroy this.
void ServerConnection::stopped() {
  const std::function<void()> on_stopped = std::move(callbacks_.on_stopped);
  on_stopped();
}

void ServerConnection::fail(const std::string& what, std::string advice) {
  if (over()) return;
  enter(State::failed);
  const std::string tail = stderr_tail_.text();
  Error error{
      fmt::format("{} {}{}", description(), what, tail.empty() ? "" : "; its stderr ends with: " + tail),
      std::move(advice)};
  if (process_) process_->stop(milliseconds(0));
  // A copy: the callback may replace all of them.
  const std::function<void(Error)> on_failure = callbacks_.on_failure;
  on_failure(std::move(error));
}

// Once it is over, the timers are cancelled.
void ServerConnection::enter(State state) {
  state_ = state;
  if (!over()) return;
  silence_timer_.stop();
  loading_timer_.stop();
}

}  // namespace symbols::engine
