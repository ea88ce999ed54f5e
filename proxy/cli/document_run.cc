#include "proxy/cli/document_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "proxy/batch/document_dispatcher.h"
#include "proxy/cli/progress_line.h"
#include "proxy/cli/tell.h"
#include "proxy/cli/terminal.h"
#include "proxy/files/traffic_log.h"
#include "proxy/process/server_process.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/standard_stream.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"
#include "table/escape.h"
#include "table/terminal_text.h"

namespace symbols::cli {
namespace {

using std::chrono::milliseconds;

// Bytes of answers that wait for a slow reader. Above this, no further document is started.
constexpr std::size_t max_unread_output = std::size_t{4} << 20;

// One of our standard streams, written to from the loop.
class Output {
 public:
  Output(relay::EventLoop& loop, int descriptor, relay::ByteWriter::Callbacks callbacks)
      : stream_(descriptor), writer_(loop, stream_.release(), std::move(callbacks)) {}

  void write(std::string_view text) { writer_.write(text); }
  std::size_t unwritten() const { return writer_.unwritten(); }

 private:
  relay::StandardStream stream_;
  relay::ByteWriter writer_;
};

// Standard error: messages for a person, each in one line, and the progress line between them. Dropped if
// nobody reads it.
class ErrorOutput {
 public:
  ErrorOutput(relay::EventLoop& loop, ColourUse colour, std::function<void()> on_empty)
      : output_(loop, STDERR_FILENO, {.on_empty = std::move(on_empty)}),
        colour_(colour_wanted(STDERR_FILENO, colour)) {}

  void tell(std::string_view message) {
    clear_progress();
    output_.write(fmt::format("{}symbols:{} {}\n", colour_ ? "\x1B[1m" : "", colour_ ? "\x1B[0m" : "",
                              table::terminal_text(message)));
  }
  bool shows_progress() const { return progress_.enabled(); }
  void show_progress(std::string_view text) {
    if (output_.unwritten() == 0) output_.write(progress_.show(text));
  }
  void clear_progress() { output_.write(progress_.clear()); }
  std::size_t unwritten() const { return output_.unwritten(); }

 private:
  Output output_;
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
  options.inquiry.document.retry.not_ready_for = options.silence_before_symbols;
  // Shorter than the silence after which the server would count as lost, and with it other files.
  options.inquiry.document.diagnostics_limit =
      std::min(options.inquiry.document.diagnostics_limit, options.silence_after_symbols * 3 / 4);
  options.inquiry.part_limit = options.silence_after_symbols * 3 / 4;
  options.inquiry.loading_limit = std::min(options.inquiry.loading_limit, options.silence_after_symbols);
  options.hovers.retry_for = std::min(options.silence_after_symbols, options.hovers.retry_for);
  options.servers_at_once = options.documents_per_server =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
  return options;
}

// Ends this process by the signal, after cleanup.
[[noreturn]] void die_by(int signal_number) {
  ::signal(signal_number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal_number);
  std::_Exit(128 + signal_number);
}

// The loop and its output.
class DocumentRun {
 public:
  DocumentRun(const DumpArguments& arguments, batch::DispatchOptions options, batch::DocumentInputs inputs,
              const MakeSink& make_sink)
      : errors_(loop_, arguments.settings.color.value_or(ColourUse::automatic), [this] { written(); }),
        out_(loop_, STDOUT_FILENO,
             {.on_empty = [this] { written(); }, .on_broken = [this](int error) { reader_gone(error); }}),
        sink_(make_sink(
            inputs,
            [this](const std::string& text) {
              errors_.clear_progress();  // both may be on the same terminal
              out_.write(text);
            },
            [this](const std::string& text) { errors_.tell(text); })),
        other_errors_(std::move(inputs.errors)) {
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
        loop_,
        [this](const process::ProcessOptions& process, process::ServerProcess::Callbacks callbacks) {
          return process::start_server(loop_, process, std::move(callbacks));
        },
        std::move(jobs), std::move(options),
        batch::DocumentDispatcher::Callbacks{.on_answer =
                                                 [this](std::size_t job, batch::DocumentAnswer answer) {
                                                   sink_->add(places_[job], std::move(answer));
                                                 },
                                             .may_start =
                                                 [this] {
                                                   held_back_ = unwritten() >= max_unread_output;
                                                   return !held_back_;
                                                 },
                                             .on_finished = [this] { finished(); }});
  }

  // Returns the exit status; stopped_by() has the signal that must end us, if any.
  int run() {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int signal_number) { stop(signal_number); });
    if (errors_.shows_progress()) show_progress();
    dispatcher_->resume();
    loop_.run();
    return sink_->any_failed() || out_failed_ ? 1 : 0;
  }
  int stopped_by() const { return stopped_by_; }

 private:
  std::size_t unwritten() const { return out_.unwritten() + errors_.unwritten(); }

  void show_progress() {
    loop_.later(milliseconds(100), [this] {
      if (finished_) return;
      errors_.show_progress(dispatcher_->progress_text());
      show_progress();
    });
  }

  // Pending output has been read.
  void written() {
    if (finished_) {
      end_if_written();
    } else if (std::exchange(held_back_, false)) {
      loop_.later(milliseconds(0), [this] { dispatcher_->resume(); });
    }
  }

  // The first signal ends the servers, which takes at most a fifth of a second; a second one changes nothing.
  // If only output is left, a signal ends that.
  void stop(int signal_number) {
    stopped_by_ = signal_number;
    dispatcher_->abort();
    if (finished_) loop_.stop();
  }

  void reader_gone(int error) {
    out_failed_ = true;
    if (stopped_by_ == 0 && error == EPIPE) stopped_by_ = SIGPIPE;
    if (stopped_by_ == 0) errors_.tell(fmt::format("cannot write the answer: {}", std::strerror(error)));
    // This may be called from within an answer.
    loop_.later(milliseconds(0), [this] { dispatcher_->abort(); });
  }

  void finished() {
    if (stopped_by_ == 0) sink_->finish(other_errors_);
    errors_.clear_progress();
    finished_ = true;
    closing_note_ = sink_->closing_note();
    end_if_written();
  }
  void end_if_written() {
    // Both streams may be the same terminal: the note must not stand among the rows.
    if (out_.unwritten() == 0 && !closing_note_.empty()) errors_.tell(std::exchange(closing_note_, {}));
    if (unwritten() == 0 || stopped_by_ != 0) loop_.stop();
  }

  relay::EventLoop loop_;
  ErrorOutput errors_;
  Output out_;
  std::unique_ptr<AnswerSink> sink_;
  std::vector<Error> other_errors_;
  std::vector<std::size_t> places_;  // of each job among the inputs
  std::optional<batch::DocumentDispatcher> dispatcher_;
  bool held_back_ = false;  // the dispatcher waits for the output to be read
  bool finished_ = false;   // nothing more is printed, but for the note
  std::string closing_note_;
  bool out_failed_ = false;
  int stopped_by_ = 0;
};

}  // namespace

int run_documents(const DumpArguments& arguments, query::InquiryOptions inquiry, const MakeSink& make_sink) {
  const auto wrong = [](const Error& error, int status) {
    tell(error.text());
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
  int status = 0;
  int stopped_by = 0;
  {
    DocumentRun run(arguments, std::move(options), std::move(*inputs), make_sink);
    status = run.run();
    stopped_by = run.stopped_by();
  }  // restores our standard streams
  if (stopped_by != 0) die_by(stopped_by);
  return status;
}

}  // namespace symbols::cli
