#include "proxy/dump_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "proxy/document_dispatcher.h"
#include "proxy/document_inputs.h"
#include "proxy/ordered_output.h"
#include "proxy/output_stream.h"
#include "proxy/progress_line.h"
#include "proxy/server_registry.h"
#include "proxy/terminal_text.h"
#include "proxy/traffic_log.h"
#include "proxy/user_servers.h"

namespace symbols::proxy {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// Answers that wait for a slow reader; beyond it no further document is asked about.
constexpr std::size_t max_unread_output = std::size_t{4} << 20;

bool colour_wanted(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: present and not empty
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::strcmp(term, "dumb") != 0;
}

// Messages for a person: each in one line, by a name they can be told by.
class ErrorOutput {
 public:
  explicit ErrorOutput(ProgressLine& progress) : progress_(progress), colour_(colour_wanted(STDERR_FILENO)) {}

  void tell(std::string_view message) {
    progress_.clear();
    const std::string line = fmt::format("{}symbols:{} {}\n", colour_ ? "\x1B[1m" : "",
                                         colour_ ? "\x1B[0m" : "", terminal_text(message));
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
  }

 private:
  ProgressLine& progress_;
  bool colour_;
};

DispatchOptions dispatch_options(const DumpArguments& arguments, TrafficLog* log) {
  DispatchOptions options;
  options.collect.levels = arguments.levels;
  options.collect.hovers = arguments.wants_hovers();
  options.collect.hover_chars = arguments.hover_chars;
  if (arguments.timeout) options.silence_before_symbols = options.silence_after_symbols = *arguments.timeout;
  options.log = log;
  options.version = program_version();
  options.documents_per_server = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
  return options;
}

// Ends this process as the signal would have, now that everything is cleared away.
[[noreturn]] void die_by(int signal_number) {
  ::signal(signal_number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal_number);
  std::_Exit(128 + signal_number);
}

// One run: the loop, and what it prints.
class Dump {
 public:
  Dump(const DumpArguments& arguments, DocumentInputs inputs, TrafficLog* log)
      : errors_(progress_),
        out_(STDOUT_FILENO),
        output_(
            paths(inputs), output_options(arguments, inputs),
            [this](const std::string& text) { out_.write(text); },
            [this](const std::string& text) { errors_.tell(text); }),
        other_errors_(std::move(inputs.errors)),
        signals_(io_, SIGINT, SIGTERM, SIGHUP) {
    for (const std::string& note : inputs.notes) errors_.tell("note: " + note);
    std::vector<DocumentJob> jobs;
    for (std::size_t i = 0; i < inputs.documents.size(); ++i) {
      Result<DocumentJob>& job = inputs.documents[i].job;
      if (job) {
        places_.push_back(i);
        jobs.push_back(std::move(*job));
      } else {
        output_.add(i, {.rows = {}, .error = job.error(), .notes = {}});
      }
    }
    dispatcher_.emplace(
        io_, std::move(jobs), dispatch_options(arguments, log),
        DocumentDispatcher::Callbacks{
            .on_answer = [this](std::size_t job,
                                DocumentAnswer answer) { output_.add(places_[job], std::move(answer)); },
            .may_start = [this] { return out_.pending() < max_unread_output; },
            .on_finished = [this] { finished_ = true; }});
  }

  int run() {
    wait_for_signal();
    dispatcher_->start();
    while (!finished_) step();
    if (stopped_by_ == 0) output_.finish(other_errors_);
    while (out_.pending() > 0 && stopped_by_ == 0) step();
    progress_.clear();
    signals_.cancel();
    if (stopped_by_ != 0) die_by(stopped_by_);
    return output_.any_failed() || out_.error() != 0 ? 1 : 0;
  }

 private:
  static std::vector<std::string> paths(const DocumentInputs& inputs) {
    std::vector<std::string> paths;
    for (const DocumentInput& document : inputs.documents) paths.push_back(document.display_path);
    return paths;
  }
  static OutputOptions output_options(const DumpArguments& arguments, const DocumentInputs& inputs) {
    return {.format = arguments.format,
            .hover_as_detail = arguments.format == OutputFormat::json && arguments.wants_hovers(),
            .several = inputs.several,
            .colour = colour_wanted(STDOUT_FILENO)};
  }

  void step() {
    constexpr milliseconds tick{100};
    if (out_.pending() > 0) {
      progress_.clear();
      if (!out_.flush_some(finished_ ? tick : milliseconds(5))) reader_gone();
      io_.poll();
      if (out_.pending() < max_unread_output) dispatcher_->resume();
    } else {
      io_.run_one_for(tick);
      io_.poll();
    }
    io_.restart();  // an idle loop stops; ours goes on
    if (progress_.enabled() && !finished_) progress_.show("symbols: " + dispatcher_->progress_text());
  }

  void reader_gone() {
    if (stopped_by_ == 0 && out_.error() == EPIPE) stopped_by_ = SIGPIPE;
    if (stopped_by_ == 0) {
      errors_.tell(fmt::format("cannot write the answer: {}", std::strerror(out_.error())));
    }
    out_.discard();
    dispatcher_->abort();
  }

  void wait_for_signal() {
    signals_.async_wait([this](const boost::system::error_code& error, int signal_number) {
      if (error) return;
      const bool again = stopped_by_ != 0;
      stopped_by_ = signal_number;
      dispatcher_->abort();
      // The first ends the servers, which takes at most a fifth of a second; a second one is told no more
      // than that.
      if (!again) wait_for_signal();
    });
  }

  asio::io_context io_;
  ProgressLine progress_;
  ErrorOutput errors_;
  OutputStream out_;
  OrderedOutput output_;
  std::vector<Error> other_errors_;
  asio::signal_set signals_;
  std::vector<std::size_t> places_;  // of each job among the inputs
  std::optional<DocumentDispatcher> dispatcher_;
  bool finished_ = false;
  int stopped_by_ = 0;
};

}  // namespace

int run_dump(const DumpArguments& arguments) {
  std::optional<TrafficLog> log;
  const auto wrong = [](const Error& error) {
    const std::string line = "symbols: " + terminal_text(error.text()) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    return 1;
  };
  const Result<ServerRegistry> registry = ServerRegistry::load(user_servers_file());
  if (!registry) return wrong(registry.error());
  if (!arguments.log.empty()) {
    Result<TrafficLog> opened = TrafficLog::open(arguments.log);
    if (!opened) return wrong(opened.error());
    log = std::move(*opened);
  }
  return Dump(arguments, find_document_inputs(arguments, *registry), log ? &*log : nullptr).run();
}

}  // namespace symbols::proxy
