#include "proxy/index/index_runner.h"

#include <signal.h>

#include "base/clock.h"
#include "base/filesystem.h"
#include "proxy/engine/document_inputs.h"
#include "proxy/files/project_root.h"
#include "proxy/files/project_watch.h"
#include "proxy/index/index_store.h"
#include "proxy/options/configuration.h"

namespace symbols::index {

Result<void> add_index_settings(output::DumpArguments& document, const fs::path& root) {
  Result<options::Configuration> configured = options::configuration_of(root.string());
  if (!configured) return configured.error();
  const options::AnswerOptions& all = configured->settings;
  document.answers = document.answers.over({.timeout = all.timeout,
                                            .color = all.color,
                                            .confine = all.confine,
                                            .server_memory = all.server_memory});
  if (!document.inputs.confine) document.inputs.confine = document.answers.confine;
  document.inputs.ignored = std::move(configured->ignored);
  // In MiB. In 1 GiB, the limit elsewhere, TypeScript 7 is restarted for the 927 files of Effect, and loads
  // the project anew each time: up to a third more processor time.
  constexpr std::uint64_t server_memory = 2048;
  if (!document.answers.server_memory) document.answers.server_memory = server_memory;
  return {};
}

Result<IndexTarget> user_index(const fs::path& root) {
  const Result<fs::path> indexes = index_folder();
  if (!indexes) return indexes.error();
  return IndexTarget{.root = root, .folder = root, .database = index_file(*indexes, root)};
}

IndexRunner::IndexRunner(io::EventLoop& loop, engine::ServerPool& servers,
                         const servers::ServerRegistry& registry, output::RunOutput& output,
                         output::DumpArguments document, IndexTarget target)
    : loop_(loop),
      servers_(servers),
      registry_(registry),
      output_(output),
      document_(std::move(document)),
      target_(std::move(target)) {}

Result<void> IndexRunner::start(IndexPass::Summary summary, std::function<void(Ended)> on_end) {
  const auto start = steady_clock::now();
  Result<engine::DocumentInputs> inputs = engine::find_document_inputs(document_.inputs, registry_);
  if (!inputs) return inputs.error();
  Result<std::unique_ptr<IndexPass>> prepared = IndexPass::prepare(
      target_, registry_, document_.inputs.shard.has_value(), *inputs, start, std::move(failed_));
  if (!prepared) return prepared.error();
  pass_ = prepared->get();
  if (std::exchange(notes_told_, true)) inputs->notes.clear();
  output::Dump dump{document_, index_inquiry(),
                    [&](const engine::DocumentInputs&, output::RunOutput& output) {
                      pass_->write_to(output, summary);
                      return *std::move(prepared);
                    }};
  run_.emplace(loop_, &servers_, output_, output::PreparedRun{std::move(dump), std::move(*inputs)},
               [this, on_end = std::move(on_end)] {
                 const Ended ended{.changed_anything = pass_->changed_anything(),
                                   .stopped_by = run_->stopped_by()};
                 failed_ = pass_->failed_files();
                 run_.reset();  // closes the database
                 on_end(ended);
               });
  return {};
}

namespace {

using Clock = io::Timers::Clock;

// A save or a checkout is many events: a pass begins when none has come for a while, or they do not end.
constexpr milliseconds quiet_before_pass{100};
constexpr milliseconds max_delay{2'000};
// A build's writes start passes that find nothing to do: these take at most a tenth of the time.
constexpr int share_of_idle_passes = 10;

class IndexWatch {
 public:
  IndexWatch(const output::DumpArguments& document, const IndexTarget& target,
             const servers::ServerRegistry& registry, std::unique_ptr<files::ProjectWatch> watch)
      : watch_(std::move(watch)),
        output_(loop_,
                output::OutputStreams::own(document.answers.color.value_or(terminal::ColourUse::automatic))),
        // No file is asked for again unless something changed.
        servers_(loop_, {.answer_bytes = 0}, [](const std::string&) {}),
        runner_(loop_, servers_, registry, output_, document, target) {}

  // The exit status, or the signal that must end this process.
  std::pair<int, int> run() {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int signal_number) { stop(signal_number); });
    pass();
    loop_.run();
    return {status_, signal_};
  }

 private:
  void pass() {
    const Clock::time_point start = Clock::now();
    (void)watch_->take();  // all of it is looked at now
    if (watch_->failure()) return fail({"cannot watch the project: " + watch_->failure()->message, {}});
    const auto summary = is_first_ ? IndexPass::Summary::always : IndexPass::Summary::of_changes;
    const Result<void> started =
        runner_.start(summary, [this, start](IndexRunner::Ended ended) { passed(start, ended); });
    if (!started) return fail(started.error());
    is_first_ = false;
  }

  void passed(Clock::time_point start, IndexRunner::Ended ended) {
    if (ended.stopped_by != 0) return stop(ended.stopped_by);
    const Clock::time_point now = Clock::now();
    earliest_ = ended.changed_anything ? now : now + (now - start) * share_of_idle_passes;
    wait();
  }

  void wait() {
    const auto look = [this] {
      if (watch_->take().any()) return settle(Clock::now());
      wait();
    };
    if (watch_->descriptor() < 0) {
      timer_ = loop_.later(files::ProjectWatch::look_interval, look);
      return;
    }
    loop_.watch(watch_->descriptor(), io::EventLoop::Wanted::input, [this, look] {
      loop_.unwatch(watch_->descriptor());
      look();
    });
  }

  // Changes have come since `first`.
  void settle(Clock::time_point first) {
    timer_ = loop_.later(quiet_before_pass, [this, first] {
      const Clock::time_point now = Clock::now();
      const bool more = watch_->take().any() && !watch_->failure() && now - first < max_delay;
      if (more || now < earliest_) return settle(first);
      pass();
    });
  }

  // A failed pass other than the first is tried again after the next change.
  void fail(const Error& error) {
    output_.tell(error.text());
    if (!is_first_ && !watch_->failure() && files::is_folder(runner_.target().root)) return wait();
    status_ = 1;
    stop(0);
  }

  void stop(int signal_number) {
    if (signal_ == 0) signal_ = signal_number;
    if (runner_.is_running()) return runner_.stop(signal_number);
    loop_.cancel(timer_);
    servers_.stop([this] { loop_.stop(); });
  }

  std::unique_ptr<files::ProjectWatch> watch_;
  io::EventLoop loop_;
  output::StandardOutput output_;
  engine::ServerPool servers_;
  IndexRunner runner_;
  Clock::time_point earliest_{};
  io::Timers::Timer timer_ = 0;
  bool is_first_ = true;
  int status_ = 0;
  int signal_ = 0;
};

}  // namespace

int watch_index(const output::DumpArguments& document, const IndexTarget& target,
                const servers::ServerRegistry& registry) {
  Result<std::unique_ptr<files::ProjectWatch>> watch = files::ProjectWatch::start(target.root.string());
  if (!watch) return terminal::tell_error({"cannot watch the project: " + watch.error().message, {}}, 1);
  const auto [status, signal_number] = IndexWatch(document, target, registry, std::move(*watch)).run();
  if (signal_number != 0) output::die_by(signal_number);
  return status;
}

}  // namespace symbols::index
