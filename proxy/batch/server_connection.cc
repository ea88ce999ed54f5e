#include "proxy/batch/server_connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>

#include "lsp/frame.h"
#include "lsp/json/json.h"
#include "lsp/uri.h"
#include "proxy/process/last_words.h"
#include "proxy/process/made_folder.h"
#include "proxy/servers/filtered_database.h"
#include "table/escape.h"

namespace symbols::batch {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// A server that asks its client and asks again, and does not read the answers, must not fill our memory with
// them. What else waits to be read is bounded by what we ask for ourselves.
constexpr std::uint64_t max_unread_answers = std::uint64_t{16} << 20;

// A server that loads a project ends one piece of progress before it begins the next: loaded is who has been
// quiet this long.
constexpr milliseconds loaded_after{300};
// The largest answer is some MB; a server that promises more than this has lost its way.
constexpr std::uint64_t max_reply = std::uint64_t{512} << 20;

std::string seconds_text(milliseconds duration) {
  return fmt::format("{:g} s", static_cast<double>(duration.count()) / 1000);
}

}  // namespace

class ServerConnection::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, ConnectionOptions options, Callbacks callbacks)
      : io_(io),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        reader_(max_reply),
        session_(session_options(), session_callbacks()),
        silence_timer_(io),
        loading_timer_(io),
        stop_timer_(io) {}

  lsp::ClientSession& session() { return session_; }

  void start() {
    last_activity_ = Clock::now();
    log_command();
    if (const Result<void> started = start_process(); !started) {
      made_folder_.reset();
      // From the loop, as every other failure.
      asio::post(io_, [weak = weak_from_this(), error = started.error()] {
        const auto self = weak.lock();
        if (!self) return;
        self->fail("cannot be run: " + error.message,
                   error.advice.empty() ? "check that it is installed and may be run" : error.advice);
        self->stopped();
      });
      return;
    }
    watch_silence();
    session_.initialize([this](Result<lsp::ServerCapabilities> capabilities) {
      if (!capabilities) {
        fail(capabilities.error().message, "see what it says with --log FILE");
        return;
      }
      capabilities_ = *capabilities;
      initialized_ = true;
      if (options_.wait_for_progress) {
        wait_until_loaded();
      } else {
        ready();
      }
    });
  }

  void set_waiting_for_symbols(bool waiting) { waiting_for_symbols_ = waiting; }

  void stop(milliseconds shutdown_limit, milliseconds exit_grace) {
    if (stopping_ || !process_) return;
    end_watching();
    stopping_ = true;
    session_.shutdown([this, exit_grace] {
      stop_timer_.cancel();
      if (process_) process_->stop(exit_grace);
    });
    stop_timer_.expires_after(shutdown_limit);
    stop_timer_.async_wait([weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (!error && self && self->process_) self->process_->stop(milliseconds(0));
    });
  }

  void abort() {
    end_watching();
    stopping_ = true;
    if (process_) process_->stop(milliseconds(0));
  }

  void abandon() {
    abandoned_ = true;
    end_watching();
    stop_timer_.cancel();
    process_.reset();
    made_folder_.reset();
  }

  std::string progress_text() const { return session_.progress_text(); }
  std::size_t flags_left_out() const { return flags_left_out_; }

  std::string description() const {
    constexpr table::CellEscape escape("");
    std::string command;
    escape.append(command,
                  fmt::format("{} {}", options_.process.program, fmt::join(options_.process.arguments, " ")));
    while (command.ends_with(' ')) command.pop_back();
    return fmt::format("{} ({})", options_.name, command);
  }

 private:
  lsp::SessionOptions session_options() const {
    return {.root_uri = options_.root.empty() ? std::string() : lsp::file_uri(options_.root),
            .root_name = std::filesystem::path(options_.root).filename().string(),
            .initialization_options = options_.initialization_options,
            .process_id = ::getpid(),
            .version = options_.version};
  }

  Result<void> start_process() {
    process::ProcessOptions process = options_.process;
    if (options_.only_writable_folders || options_.filtered_database) {
      Result<process::MadeFolder> made = process::MadeFolder::make();
      if (!made) return made.error();
      if (options_.only_writable_folders) {
        process.only_writable_folders = options_.only_writable_folders;
        process.only_writable_folders->push_back(made->path());
      }
      if (options_.filtered_database) {
        const Result<std::size_t> left_out =
            servers::write_filtered_database(*options_.filtered_database, made->path());
        if (!left_out) return left_out.error();
        flags_left_out_ = *left_out;
        std::erase_if(process.arguments, [](const std::string& argument) {
          return argument.find("-enable-config") < 2 || argument.find("-compile-commands-dir=") < 2;
        });
        process.arguments.insert(process.arguments.end(),
                                 {"--enable-config=0", "--compile-commands-dir=" + made->path()});
      }
      const std::vector<std::string> variables = made->environment();
      process.environment.insert(process.environment.end(), variables.begin(), variables.end());
      made_folder_.emplace(std::move(*made));
    }
    Result<std::unique_ptr<process::ServerProcess>> started = process::ServerProcess::start(
        io_, process,
        {.on_output = [this](std::string_view bytes) { receive(bytes); },
         .on_error_output =
             [this](std::string_view bytes) {
               last_words_.add(bytes);
               if (options_.log)
                 options_.log->record(options_.name, files::TrafficLog::Direction::standard_error, bytes);
             },
         .on_exit = [this](process::ExitStatus status) { process_ended(status); }});
    if (!started) return started.error();
    process_ = std::move(*started);
    return {};
  }

  void log_command() const {
    if (options_.log == nullptr) return;
    std::string command = "[" + lsp::json_string(options_.process.program);
    for (const std::string& argument : options_.process.arguments)
      command += "," + lsp::json_string(argument);
    options_.log->record(options_.name, files::TrafficLog::Direction::command, command + "]");
  }

  lsp::ClientSession::Callbacks session_callbacks() {
    return {.send =
                [this](std::string body) {
                  if (!process_ || failed_) return;
                  if (options_.log)
                    options_.log->record(options_.name, files::TrafficLog::Direction::to_server, body);
                  process_->write(lsp::frame(body));
                },
            .on_activity = [this] { last_activity_ = Clock::now(); }};
  }

  void receive(std::string_view bytes) {
    const auto self = shared_from_this();  // a callback may let go of the connection
    while (!failed_ && !abandoned_) {
      const std::string_view unread = bytes;
      const Result<std::optional<std::string_view>> body = reader_.next(bytes);
      if (!body) {
        if (options_.log)
          options_.log->record(options_.name, files::TrafficLog::Direction::from_server, unread);
        fail("does not speak the Language Server Protocol: " + body.error().message,
             "check its command; most servers need an argument such as --stdio");
        return;
      }
      if (!*body) return;
      if (options_.log)
        options_.log->record(options_.name, files::TrafficLog::Direction::from_server, **body);
      if (const Result<void> received = session_.receive(**body); !received) {
        fail("sent what is " + received.error().message, "see what it says with --log FILE");
        return;
      }
      if (process_ && process_->unwritten() == 0) answers_read_ = session_.bytes_answered();
      if (session_.bytes_answered() - answers_read_ > max_unread_answers) {
        fail("asks its client without reading the answers", "see what it says with --log FILE");
        return;
      }
    }
  }

  void end_watching() {
    silence_timer_.cancel();
    loading_timer_.cancel();
  }

  void wait_until_loaded() {
    loading_timer_.expires_after(loaded_after);
    loading_timer_.async_wait([weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (error || !self || self->abandoned_ || self->failed_) return;
      if (self->session_.busy() || Clock::now() - self->last_activity_ < loaded_after) {
        self->wait_until_loaded();
      } else {
        self->ready();
      }
    });
  }

  void ready() {
    if (failed_ || stopping_ || abandoned_) return;
    ready_ = true;
    last_activity_ = Clock::now();
    callbacks_.on_ready(capabilities_);
  }

  milliseconds silence_limit() const {
    return waiting_for_symbols_ ? options_.silence_before_symbols : options_.silence_after_symbols;
  }

  // Whether the server has something to do for us: an answer, or the loading that its answers wait for.
  bool owes_us() const { return session_.requests_in_flight() > 0 || !ready_; }

  // Runs as long as the connection: what is asked for later is watched too.
  void watch_silence() {
    if (failed_ || stopping_) return;
    const Clock::time_point now = Clock::now();
    if (!owes_us()) last_activity_ = now;
    if (now - last_activity_ >= silence_limit()) {
      fail(fmt::format("has not answered for {}", seconds_text(silence_limit())),
           "give it more time with --timeout, or see what it does with --log FILE");
      return;
    }
    // A request sent after a quiet time is due a limit of its own, so look in between.
    silence_timer_.expires_at(
        std::min(last_activity_ + silence_limit(), now + std::max(silence_limit() / 8, milliseconds(10))));
    silence_timer_.async_wait([weak = weak_from_this()](const error_code& error) {
      const auto self = weak.lock();
      if (!error && self && !self->abandoned_) self->watch_silence();
    });
  }

  void process_ended(process::ExitStatus status) {
    const auto self = shared_from_this();
    if (!stopping_ && !failed_) {
      fail(status.text() + (initialized_ ? "" : " before it answered initialize"),
           "try the command by itself");
    }
    process_.reset();
    made_folder_.reset();
    stopped();
  }

  void fail(const std::string& what, std::string advice) {
    if (failed_ || stopping_ || abandoned_) return;
    failed_ = true;
    end_watching();
    const std::string words = last_words_.text();
    Error error{
        fmt::format("{} {}{}", description(), what, words.empty() ? "" : "; its last words: " + words),
        std::move(advice)};
    if (process_) process_->stop(milliseconds(0));
    callbacks_.on_failure(std::move(error));
  }

  void stopped() {
    if (!abandoned_ && !std::exchange(told_stopped_, true)) callbacks_.on_stopped();
  }

  asio::io_context& io_;
  ConnectionOptions options_;
  Callbacks callbacks_;
  lsp::FrameReader reader_;
  process::LastWords last_words_;
  lsp::ClientSession session_;
  std::optional<process::MadeFolder> made_folder_;  // outlives the process, which may write to it
  std::unique_ptr<process::ServerProcess> process_;
  lsp::ServerCapabilities capabilities_;
  asio::steady_timer silence_timer_;
  asio::steady_timer loading_timer_;
  asio::steady_timer stop_timer_;
  Clock::time_point last_activity_;
  std::size_t flags_left_out_ = 0;
  std::uint64_t answers_read_ = 0;  // of session_.bytes_answered()
  bool waiting_for_symbols_ = true;
  bool initialized_ = false;
  bool ready_ = false;  // on_ready was called
  bool stopping_ = false;
  bool failed_ = false;
  bool abandoned_ = false;
  bool told_stopped_ = false;
};

ServerConnection::ServerConnection(asio::io_context& io, ConnectionOptions options, Callbacks callbacks)
    : impl_(std::make_shared<Impl>(io, std::move(options), std::move(callbacks))) {}
ServerConnection::~ServerConnection() {
  impl_->abandon();
}
void ServerConnection::start() {
  impl_->start();
}
lsp::ClientSession& ServerConnection::session() {
  return impl_->session();
}
void ServerConnection::set_waiting_for_symbols(bool waiting) {
  impl_->set_waiting_for_symbols(waiting);
}
void ServerConnection::stop(milliseconds shutdown_limit, milliseconds exit_grace) {
  impl_->stop(shutdown_limit, exit_grace);
}
void ServerConnection::abort() {
  impl_->abort();
}
std::string ServerConnection::description() const {
  return impl_->description();
}
std::size_t ServerConnection::flags_left_out() const {
  return impl_->flags_left_out();
}
std::string ServerConnection::progress_text() const {
  return impl_->progress_text();
}

}  // namespace symbols::batch
