#include <signal.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "proxy/batch/server_pool.h"
#include "proxy/files/project_watch.h"
#include "proxy/index/index_runner.h"
#include "proxy/runs/document_run.h"
#include "proxy/runs/standard_output.h"
#include "proxy/terminal/tell.h"

namespace symbols::index {
namespace {

using std::chrono::milliseconds;
using Clock = relay::Timers::Clock;

// A save or a checkout is many events: a pass begins when none has come for a while, or they do not end.
constexpr milliseconds quiet_before_pass{100};
constexpr milliseconds longest_delay{2'000};
// A build's writes start passes that find nothing to do: these take at most a tenth of the time.
constexpr int share_of_idle_passes = 10;

class IndexWatch {
 public:
  IndexWatch(const runs::DumpArguments& document, const IndexTarget& target,
             const servers::ServerRegistry& registry, std::unique_ptr<files::ProjectWatch> watch)
      : watch_(std::move(watch)),
        output_(loop_,
                runs::OutputStreams::own(document.answers.color.value_or(terminal::ColourUse::automatic))),
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
    loop_.watch(watch_->descriptor(), relay::EventLoop::Wanted::input, [this] {
      loop_.unwatch(watch_->descriptor());
      if (watch_->take().any()) {
        settle(Clock::now());
      } else {
        wait();
      }
    });
  }

  // Changes have come since `first`.
  void settle(Clock::time_point first) {
    timer_ = loop_.later(quiet_before_pass, [this, first] {
      const Clock::time_point now = Clock::now();
      const bool more = watch_->take().any() && !watch_->failure() && now - first < longest_delay;
      if (more || now < earliest_) return settle(first);
      pass();
    });
  }

  // A failed pass other than the first is tried again after the next change.
  void fail(const Error& error) {
    output_.tell(error.text());
    std::error_code failure;
    if (!is_first_ && !watch_->failure() && std::filesystem::is_directory(runner_.target().root, failure))
      return wait();
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
  relay::EventLoop loop_;
  runs::StandardOutput output_;
  batch::ServerPool servers_;
  IndexRunner runner_;
  Clock::time_point earliest_{};
  relay::Timers::Timer timer_ = 0;
  bool is_first_ = true;
  int status_ = 0;
  int signal_ = 0;
};

}  // namespace

int watch_index(const runs::DumpArguments& document, const IndexTarget& target,
                const servers::ServerRegistry& registry) {
  Result<std::unique_ptr<files::ProjectWatch>> watch = files::ProjectWatch::start(target.root.string());
  if (!watch) return terminal::tell_error({"cannot watch the project: " + watch.error().message, {}}, 1);
  const auto [status, signal_number] = IndexWatch(document, target, registry, std::move(*watch)).run();
  if (signal_number != 0) runs::die_by(signal_number);
  return status;
}

}  // namespace symbols::index
