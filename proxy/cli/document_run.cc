#include "proxy/cli/document_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "proxy/batch/document_dispatcher.h"
#include "proxy/cli/progress_line.h"
#include "proxy/files/traffic_log.h"
#include "proxy/relay/output_stream.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/user_servers.h"
#include "table/escape.h"
#include "table/terminal_text.h"

namespace symbols::cli {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// Answers that wait for a slow reader; beyond it no further document is asked about.
constexpr std::size_t max_unread_output = std::size_t{4} << 20;

// Standard error: messages for a person, each in one line, and the progress line between them.
class ErrorOutput {
 public:
  ErrorOutput() : stream_(STDERR_FILENO), colour_(colour_wanted(STDERR_FILENO)) {}

  void tell(std::string_view message) {
    clear_progress();
    stream_.write(fmt::format("{}symbols:{} {}\n", colour_ ? "\x1B[1m" : "", colour_ ? "\x1B[0m" : "",
                              table::terminal_text(message)));
  }
  // `text` is asked for only where it can be shown.
  template <class Text>
  void show_progress(const Text& text) {
    if (progress_.enabled() && stream_.pending() == 0) stream_.write(progress_.show(text()));
  }
  void clear_progress() { stream_.write(progress_.clear()); }

  relay::OutputStream& stream() { return stream_; }

 private:
  relay::OutputStream stream_;
  ProgressLine progress_;
  bool colour_;
};

batch::DispatchOptions dispatch_options(const DumpArguments& arguments, query::InquiryOptions inquiry,
                                        files::TrafficLog* log) {
  batch::DispatchOptions options;
  options.inquiry = std::move(inquiry);
  if (const auto timeout = arguments.answers.timeout) {
    options.silence_before_symbols = options.silence_after_symbols = *timeout;
  }
  options.log = log;
  options.version = program_version();
  options.inquiry.collect.retry_symbols_for = options.silence_before_symbols;
  options.inquiry.publication_limit =
      std::min(options.inquiry.publication_limit, options.silence_after_symbols);
  options.inquiry.diagnostics_limit =
      std::min(options.inquiry.diagnostics_limit, options.silence_after_symbols * 3 / 4);
  // Shorter than the silence after which the server would count as lost.
  options.inquiry.part_limit = options.silence_after_symbols * 3 / 4;
  options.inquiry.loading_limit = std::min(options.inquiry.loading_limit, options.silence_after_symbols);
  options.hover_pool.retry_for = std::min(options.silence_after_symbols, options.hover_pool.retry_for);
  options.servers_at_once = options.documents_per_server =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
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

// The loop, and what it prints.
class DocumentRun {
 public:
  DocumentRun(const DumpArguments& arguments, batch::DispatchOptions options, batch::DocumentInputs inputs,
              const MakeSink& make_sink)
      : out_(STDOUT_FILENO),
        sink_(make_sink(
            inputs, [this](const std::string& text) { out_.write(text); },
            [this](const std::string& text) { errors_.tell(text); })),
        other_errors_(std::move(inputs.errors)),
        signals_(io_) {
    // What was to be ignored when we were started (nohup, a shell's background job) stays ignored.
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction action {};
      ::sigaction(signal_number, nullptr, &action);
      if (action.sa_handler != SIG_IGN) signals_.add(signal_number);
    }
    for (const std::string& note : inputs.notes) errors_.tell("note: " + note);
    for (const std::string& field : arguments.answers.unknown_fields) {
      errors_.tell(fmt::format("note: --fields: there is no field {}", table::quoted(field)));
    }
    std::vector<batch::DocumentJob> jobs;
    for (std::size_t i = 0; i < inputs.documents.size(); ++i) {
      Result<batch::DocumentJob>& job = inputs.documents[i].job;
      if (job) {
        places_.push_back(i);
        jobs.push_back(std::move(*job));
      } else {
        sink_->add(i, {.rows = {}, .error = job.error(), .notes = {}});
      }
    }
    dispatcher_.emplace(
        io_, std::move(jobs), std::move(options),
        batch::DocumentDispatcher::Callbacks{.on_answer =
                                                 [this](std::size_t job, batch::DocumentAnswer answer) {
                                                   sink_->add(places_[job], std::move(answer));
                                                 },
                                             .may_start =
                                                 [this] {
                                                   held_back_ = unwritten() >= max_unread_output;
                                                   return !held_back_;
                                                 },
                                             .on_finished = [this] { finished_ = true; }});
  }

  int run() {
    wait_for_signal();
    dispatcher_->start();
    while (!finished_) step();
    if (stopped_by_ == 0) sink_->finish(other_errors_);
    errors_.clear_progress();
    while (unwritten() > 0 && stopped_by_ == 0) step();
    errors_.stream().flush_some(milliseconds(0));  // the progress line is taken away even from who ends us
    signals_.cancel();
    if (stopped_by_ != 0) die_by(stopped_by_);
    return sink_->any_failed() || out_.error() != 0 ? 1 : 0;
  }

 private:
  std::size_t unwritten() { return out_.pending() + errors_.stream().pending(); }

  void step() {
    constexpr milliseconds tick{100};
    relay::OutputStream& messages = errors_.stream();
    const milliseconds patience = finished_ ? tick : milliseconds(5);
    if (unwritten() == 0) {
      io_.run_one_for(tick);
    } else {
      // The progress line has to be gone before the answer comes to the same terminal.
      if (out_.pending() > 0) errors_.clear_progress();
      // Nobody is there to be told that nobody reads the messages.
      if (!messages.flush_some(out_.pending() > 0 ? milliseconds(0) : patience)) messages.discard();
      if (out_.pending() > 0 && !out_.flush_some(patience)) reader_gone();
    }
    io_.poll();
    io_.restart();  // an idle loop stops; ours goes on
    if (finished_) return;
    if (held_back_ && unwritten() < max_unread_output) dispatcher_->resume();
    errors_.show_progress([this] { return dispatcher_->progress_text(); });
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
      // The first ends the servers, which takes a fifth of a second at most; a second one changes nothing.
      if (!again) wait_for_signal();
    });
  }

  asio::io_context io_;
  ErrorOutput errors_;
  relay::OutputStream out_;
  std::unique_ptr<AnswerSink> sink_;
  std::vector<Error> other_errors_;
  asio::signal_set signals_;
  std::vector<std::size_t> places_;  // of each job among the inputs
  std::optional<batch::DocumentDispatcher> dispatcher_;
  bool held_back_ = false;  // the dispatcher waits for the output to be read
  bool finished_ = false;
  int stopped_by_ = 0;
};

}  // namespace

bool colour_wanted(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: present and not empty
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::strcmp(term, "dumb") != 0;
}

void print_error(const Error& error) {
  const std::string line = "symbols: " + table::terminal_text(error.text()) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int run_documents(const DumpArguments& arguments, query::InquiryOptions inquiry, const MakeSink& make_sink) {
  const auto wrong = [](const Error& error, int status) {
    print_error(error);
    return status;
  };
  std::optional<files::TrafficLog> log;
  const Result<servers::ServerRegistry> registry =
      servers::ServerRegistry::load(servers::user_servers_file());
  if (!registry) return wrong(registry.error(), 1);
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(arguments.inputs, *registry);
  if (!inputs) return wrong(inputs.error(), 2);
  if (!arguments.log.empty()) {
    Result<files::TrafficLog> opened = files::TrafficLog::open(arguments.log);
    if (!opened) return wrong(opened.error(), 1);
    log = std::move(*opened);
  }
  batch::DispatchOptions options = dispatch_options(arguments, std::move(inquiry), log ? &*log : nullptr);
  return DocumentRun(arguments, std::move(options), std::move(*inputs), make_sink).run();
}

}  // namespace symbols::cli
