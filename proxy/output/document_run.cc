#include "proxy/output/document_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "proxy/files/traffic_log.h"
#include "proxy/options/configuration.h"
#include "proxy/process/server_process.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"

namespace symbols::output {
namespace {

// Bytes of answers that wait for a slow reader. Above this, no further document is started.
constexpr std::size_t max_unread_output = std::size_t{4} << 20;

// About 50,000 tokens.
constexpr std::size_t many_rows = 1000;

// The options in effect: of flags, environment and configuration, and for this standard output.
Result<output::DumpArguments> with_settings(output::DumpArguments arguments,
                                            const terminal::Console& console) {
  Result<options::Configuration> configured =
      options::configuration_of(arguments.inputs.paths, arguments.inputs.symlinks());
  if (!configured) return configured.error();
  const options::AnswerOptions asked = arguments.answers;
  options::AnswerOptions& answers = arguments.answers;
  answers = asked.over(configured->settings);
  if (!answers.format) answers.format = console.is_terminal ? table::Format::pretty : table::Format::table;
  // A program that reads a pipe of ours must get no escapes because of a setting that it does not know of.
  if (!asked.color && answers.color == terminal::ColourUse::always && answers.format != table::Format::pretty)
    answers.color = terminal::ColourUse::automatic;
  // These formats have no place for a budget; one from the settings is ignored, not an error.
  if (!asked.max_tokens && (answers.format == table::Format::json || answers.format == table::Format::ndjson))
    answers.max_tokens.reset();
  if (!arguments.inputs.confine) arguments.inputs.confine = answers.confine;
  arguments.configured = options::words_of(*configured);
  arguments.inputs.ignored = std::move(configured->ignored);
  if (const Result<void> fits = answers.check("--max-tokens"); !fits) return fits.error();
  return arguments;
}

table::Rendering rendering_of(const options::AnswerOptions& answers, std::size_t width, bool colour) {
  table::Rendering rendering = answers.rendering();
  if (rendering.format == table::Format::pretty) {
    rendering.pretty = {.width = width, .colour = colour};
    if (!answers.fields) rendering.view.fields = table::pretty_fields(rendering.view.fields);
  }
  return rendering;
}

// Whether the number of rows may surprise: neither a format nor fewer rows were requested.
bool may_surprise(const options::AnswerOptions& answers, const options::AnswerOptions& asked) {
  return !asked.format && !answers.return_children && !answers.filter_kind && !answers.match &&
         !answers.max_tokens && !answers.counts();
}

// What chose the answers, besides their documents: the words of the command line without the paths at its
// end, what is configured, and the format, which standard output chooses too.
std::string question_of(const Dump& dump) {
  const DumpArguments& arguments = dump.arguments;
  std::vector<std::string> words = arguments.words;
  const std::vector<std::string>& paths = arguments.inputs.paths;
  if (!dump.inquiry.context && words.size() >= paths.size() &&
      std::equal(paths.rbegin(), paths.rend(), words.rbegin())) {
    words.resize(words.size() - paths.size());
  }
  std::string question = std::to_string(static_cast<int>(arguments.answers.format_or_default()));
  for (const std::string& word : words) question += '\0' + word;
  question += '\0';
  for (const std::string& word : arguments.configured) question += '\0' + word;
  // The text of a context has paths from the working folder, and lines as wide as the terminal.
  if (const auto& context = dump.inquiry.context; context && context->outline_folder) {
    const table::PrettyStyle page = context->page.value_or(table::PrettyStyle{});
    question += '\0' + *context->outline_folder + fmt::format(" {} {}", page.width, page.colour);
  }
  return question;
}

// How the dispatcher asks, by the timeouts of the arguments.
engine::DispatchOptions dispatch_options(const Dump& dump, files::TrafficLog* log) {
  engine::DispatchOptions options;
  options.inquiry = dump.inquiry;
  engine::ConnectionOptions& connection = options.lease.connection;
  if (const auto timeout = dump.arguments.answers.timeout) {
    connection.silence_before_symbols = connection.silence_after_symbols = *timeout;
  }
  if (const auto mebibytes = dump.arguments.answers.server_memory) options.server_memory = *mebibytes << 20;
  connection.log = log;
  options.inquiry.document.retry.not_ready_for = connection.silence_before_symbols;
  options.inquiry.patience = connection.silence_after_symbols;
  options.lease.hovers.retry_for = std::min(connection.silence_after_symbols, options.lease.hovers.retry_for);
  options.question = question_of(dump);
  options.servers_at_once = options.documents_per_server =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
  // Documents of one question must be open together: each answer depends on all of them.
  if (dump.inquiry.context)
    options.documents_per_server =
        std::max(options.documents_per_server, dump.inquiry.context->positions.size());
  return options;
}

}  // namespace

Result<Dump> prepare_dump(const output::DumpArguments& given, const terminal::Console& console) {
  output::DumpArguments listed = given;
  Result<engine::InputOptions> all = engine::with_listed_paths(std::move(listed.inputs));
  if (!all) return all.error();
  listed.inputs = std::move(*all);
  const Result<output::DumpArguments> in_effect = with_settings(std::move(listed), console);
  if (!in_effect) return in_effect.error();
  const options::AnswerOptions& answers = in_effect->answers;
  const bool colour = console.wants_colour(answers.color.value_or(terminal::ColourUse::automatic));
  Dump dump{.arguments = *in_effect};
  query::DocumentQuestion& question = dump.inquiry.document;
  question.selection = answers.selection({.rule = table::Levels::Rule::all});
  question.hovers = answers.wants_hovers();
  question.details_will_do = answers.details_will_do();
  question.hover_form = {.characters = answers.row_hover_chars(), .parts = answers.wants_hover_parts()};
  question.diagnostics = answers.most_diagnostics();
  question.pulls_errors = true;
  const OutputOptions options{.rendering = rendering_of(answers, console.width, colour),
                              .diagnostics = answers.most_diagnostics() > 0,
                              .filtered = answers.selection({}).filters(),
                              .colour = colour,
                              .counted = given.counted,
                              .note_above = may_surprise(answers, given.answers) ? many_rows : 0};
  dump.make_sink = [options](const engine::DocumentInputs& inputs, RunOutput& output) {
    OutputOptions of_these = options;
    of_these.several = inputs.several;
    return std::make_unique<OrderedOutput>(display_paths(inputs), std::move(of_these), output);
  };
  return dump;
}

Result<PreparedRun> find_documents(Dump dump, const engine::KeptFlags& kept_flags) {
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return registry.error();
  Result<engine::DocumentInputs> inputs =
      engine::find_document_inputs(dump.arguments.inputs, *registry, kept_flags);
  if (!inputs) return inputs.error();
  return PreparedRun{std::move(dump), std::move(*inputs)};
}

bool may_use_kept_servers(const PreparedRun& run) {
  return run.dump.arguments.inputs.texts.empty() &&
         (!engine::depends_on_others(run.dump.inquiry) || run.inputs.documents.size() == 1);
}

engine::PoolLimits pool_limits(const options::AnswerOptions& settings) {
  engine::PoolLimits limits;
  if (settings.warm_servers) limits.servers = *settings.warm_servers;
  if (settings.warm_memory) limits.server_memory = *settings.warm_memory << 20;
  if (settings.warm_idle) limits.server_idle = std::chrono::seconds(*settings.warm_idle);
  return limits;
}

DocumentRun::DocumentRun(io::EventLoop& loop, engine::ServerPool* pool, RunOutput& output, PreparedRun run,
                         std::function<void()> on_end, files::TrafficLog* log)
    : loop_(loop),
      output_(output),
      on_end_(std::move(on_end)),
      sink_(run.dump.make_sink(run.inputs, output)),
      other_errors_(std::move(run.inputs.errors)) {
  output_.on_written = [this] { written(); };
  output_.on_broken = [this](int error) { reader_gone(error); };
  for (const std::string& note : run.inputs.notes) output_.tell("note: " + note);
  for (const std::string& field : run.dump.arguments.answers.unknown_fields) {
    output_.tell(fmt::format("note: --fields: there is no field {}", table::quoted(field)));
  }
  std::vector<engine::DocumentJob> jobs;
  auto& context = run.dump.inquiry.context;
  const std::vector<lsp::Position> positions =
      context ? std::exchange(context->positions, {}) : std::vector<lsp::Position>();
  for (std::size_t i = 0; i < run.inputs.documents.size(); ++i) {
    Result<engine::DocumentJob>& job = run.inputs.documents[i].job;
    if (job) {
      places_.push_back(i);
      jobs.push_back(std::move(*job));
      if (i < positions.size()) context->positions.push_back(positions[i]);
    } else {
      sink_->add(i, {.rows = {}, .error = job.error(), .notes = {}});
    }
  }
  engine::DispatchOptions options = dispatch_options(run.dump, log);
  if (pool == nullptr || !may_use_kept_servers(run)) {
    const auto start = [this](const process::ProcessOptions& process,
                              process::ServerProcess::Callbacks callbacks) {
      return process::start_server(loop_, process, std::move(callbacks));
    };
    pool = &own_pool_.emplace(loop_, start, options.servers_at_once);
  }
  dispatcher_.emplace(
      loop_, *pool, std::move(jobs), std::move(options),
      engine::DocumentDispatcher::Callbacks{
          .on_answer = [this](std::size_t job,
                              engine::DocumentAnswer answer) { sink_->add(places_[job], std::move(answer)); },
          .may_start =
              [this] {
                held_back_ = output_.unwritten() >= max_unread_output;
                return !held_back_;
              },
          .on_finished =
              [this] {
                if (!own_pool_) return finished();
                own_pool_->stop([this] { finished(); });
              }});
  show_progress();
  dispatcher_->resume();
}

DocumentRun::~DocumentRun() {
  output_.on_written = [] {};
  output_.on_broken = [](int) {};
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
  if (finished_) return end_if_written();
  if (std::exchange(held_back_, false)) dispatcher_->resume();
}

void DocumentRun::stop(int signal_number) {
  stopped_by_ = signal_number;
  dispatcher_->abort();
  if (own_pool_) own_pool_->hurry();
  if (finished_) end_timer_.start(milliseconds(0), on_end_);
}

void DocumentRun::reader_gone(int error) {
  out_failed_ = true;
  if (stopped_by_ == 0 && error == EPIPE) stopped_by_ = SIGPIPE;
  if (stopped_by_ == 0) output_.tell(fmt::format("cannot write the answer: {}", std::strerror(error)));
  // This may be called from within an answer.
  abort_timer_.start(milliseconds(0), [this] { dispatcher_->abort(); });
}

// No more answers come, and servers of its own have ended.
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
  if (output_.unwritten() == 0 || stopped_by_ != 0) end_timer_.start(milliseconds(0), on_end_);
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

int run_documents(const Dump& dump, engine::DocumentInputs inputs) {
  std::optional<files::TrafficLog> log;
  if (!dump.arguments.log.empty()) {
    Result<files::TrafficLog> opened = files::TrafficLog::open(dump.arguments.log);
    if (!opened) return terminal::tell_error(opened.error(), 1);
    log = std::move(*opened);
  }
  std::optional<int> status;
  int stopped_by = 0;
  {
    io::EventLoop loop;
    const auto colour = dump.arguments.answers.color.value_or(terminal::ColourUse::automatic);
    StandardOutput output(loop, OutputStreams::own(colour));
    DocumentRun run(
        loop, nullptr, output, {dump, std::move(inputs)}, [&loop] { loop.stop(); }, log ? &*log : nullptr);
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&run](int signal_number) { run.stop(signal_number); });
    loop.run();
    status = run.status();
    stopped_by = run.stopped_by();
  }  // restores our standard streams
  if (!status) die_by(stopped_by);
  return *status;
}

}  // namespace symbols::output
