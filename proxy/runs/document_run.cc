#include "proxy/runs/document_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "proxy/files/traffic_log.h"
#include "proxy/process/server_process.h"
#include "proxy/runs/standard_output.h"
#include "proxy/servers/server_registry.h"
#include "proxy/settings/version.h"
#include "proxy/terminal/tell.h"
#include "proxy/terminal/terminal.h"
#include "table/escape.h"

namespace symbols::runs {
namespace {

using std::chrono::milliseconds;

// Bytes of answers that wait for a slow reader. Above this, no further document is started.
constexpr std::size_t max_unread_output = std::size_t{4} << 20;

}  // namespace

batch::DispatchOptions dispatch_options(const Dump& dump, files::TrafficLog* log) {
  batch::DispatchOptions options;
  options.inquiry = dump.inquiry;
  if (const auto timeout = dump.arguments.answers.timeout) {
    options.silence_before_symbols = options.silence_after_symbols = *timeout;
  }
  if (const auto mebibytes = dump.arguments.settings.server_memory) options.server_memory = *mebibytes << 20;
  options.log = log;
  options.version = settings::program_version();
  options.inquiry.document.retry.not_ready_for = options.silence_before_symbols;
  // Shorter than the silence after which the server would count as lost, and with it other files.
  options.inquiry.document.diagnostics_limit =
      std::min(options.inquiry.document.diagnostics_limit, options.silence_after_symbols * 3 / 4);
  options.inquiry.part_limit = options.silence_after_symbols * 3 / 4;
  options.inquiry.loading_limit = options.silence_after_symbols;
  options.hovers.retry_for = std::min(options.silence_after_symbols, options.hovers.retry_for);
  options.servers_at_once = options.documents_per_server =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
  return options;
}

DocumentRun::DocumentRun(relay::EventLoop& loop, RunOutput& output, const Dump& dump,
                         batch::DispatchOptions options, batch::DocumentInputs inputs,
                         std::function<void()> on_end)
    : loop_(loop),
      output_(output),
      on_end_(std::move(on_end)),
      sink_(dump.make_sink(inputs, output)),
      other_errors_(std::move(inputs.errors)) {
  output_.on_written = [this] { written(); };
  output_.on_broken = [this](int error) { reader_gone(error); };
  for (const std::string& note : inputs.notes) output_.tell("note: " + note);
  for (const std::string& field : dump.arguments.answers.unknown_fields) {
    output_.tell(fmt::format("note: --fields: there is no field {}", table::quoted(field)));
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
      batch::DocumentDispatcher::Callbacks{
          .on_answer = [this](std::size_t job,
                              batch::DocumentAnswer answer) { sink_->add(places_[job], std::move(answer)); },
          .may_start =
              [this] {
                held_back_ = output_.unwritten() >= max_unread_output;
                return !held_back_;
              },
          .on_finished = [this] { finished(); }});
}

DocumentRun::~DocumentRun() {
  output_.on_written = [] {};
  output_.on_broken = [](int) {};
}

void DocumentRun::start() {
  if (output_.shows_progress()) show_progress();
  dispatcher_->resume();
}

std::optional<int> DocumentRun::status() const {
  if (stopped_by_ != 0) return std::nullopt;
  return sink_->any_failed() || out_failed_ ? 1 : 0;
}

void DocumentRun::show_progress() {
  progress_timer_.start(milliseconds(100), [this] {
    if (finished_) return;
    std::string text = dispatcher_->progress_text();
    if (const std::string own = sink_->progress_text(); !own.empty() && !text.empty()) {
      text.replace(0, std::min(text.find(';'), text.size()), "symbols: " + own);
    }
    output_.show_progress(text);
    show_progress();
  });
}

// Pending output has been read.
void DocumentRun::written() {
  if (finished_) {
    end_if_written();
  } else if (std::exchange(held_back_, false)) {
    resume_timer_.start(milliseconds(0), [this] { dispatcher_->resume(); });
  }
}

void DocumentRun::stop(int signal_number) {
  stopped_by_ = signal_number;
  dispatcher_->abort();
  if (finished_) end();
}

void DocumentRun::reader_gone(int error) {
  out_failed_ = true;
  if (stopped_by_ == 0 && error == EPIPE) stopped_by_ = SIGPIPE;
  if (stopped_by_ == 0) output_.tell(fmt::format("cannot write the answer: {}", std::strerror(error)));
  // This may be called from within an answer.
  abort_timer_.start(milliseconds(0), [this] { dispatcher_->abort(); });
}

void DocumentRun::finished() {
  if (stopped_by_ == 0) sink_->finish(other_errors_);
  output_.show_progress({});
  finished_ = true;
  closing_note_ = sink_->closing_note();
  end_if_written();
}

void DocumentRun::end_if_written() {
  // Both streams may be the same terminal: the note must not stand among the rows.
  if (output_.unwritten_answers() == 0 && !closing_note_.empty())
    output_.tell(std::exchange(closing_note_, {}));
  if (output_.unwritten() == 0 || stopped_by_ != 0) end();
}

void DocumentRun::end() {
  if (const std::function<void()> on_end = std::exchange(on_end_, {})) on_end();
}

void die_by(int signal_number) {
  ::signal(signal_number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal_number);
  std::_Exit(128 + signal_number);
}

int run_documents(const Dump& dump) {
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return terminal::tell_error(registry.error(), 1);
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(dump.arguments.inputs, *registry);
  if (!inputs) return terminal::tell_error(inputs.error(), 2);
  return run_documents(dump, std::move(*inputs));
}

int run_documents(const Dump& dump, batch::DocumentInputs inputs) {
  std::optional<files::TrafficLog> log;
  if (!dump.arguments.log.empty()) {
    Result<files::TrafficLog> opened = files::TrafficLog::open(dump.arguments.log);
    if (!opened) return terminal::tell_error(opened.error(), 1);
    log = std::move(*opened);
  }
  std::optional<int> status;
  int stopped_by = 0;
  {
    relay::EventLoop loop;
    const auto colour = dump.arguments.settings.color.value_or(terminal::ColourUse::automatic);
    StandardOutput output(loop, OutputStreams::own(colour));
    DocumentRun run(loop, output, dump, dispatch_options(dump, log ? &*log : nullptr), std::move(inputs),
                    [&loop] { loop.stop(); });
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&run](int signal_number) { run.stop(signal_number); });
    run.start();
    loop.run();
    status = run.status();
    stopped_by = run.stopped_by();
  }  // restores our standard streams
  if (!status) die_by(stopped_by);
  return *status;
}

}  // namespace symbols::runs
