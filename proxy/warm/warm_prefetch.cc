#include "proxy/warm/warm_prefetch.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace symbols::warm {
namespace {

using std::chrono::milliseconds;

// Without a change: whoever saves several files, or runs a formatter, has them all answered once.
constexpr milliseconds quiet{150};
constexpr std::size_t most_calls = 8;
constexpr std::size_t most_documents = 8;  // of one call: folders take the machine's time for a guess
constexpr std::chrono::minutes asked_within{10};
// Without a call in between: a server that writes into its project would keep it going for ever.
constexpr std::size_t most_runs = 32;

}  // namespace

WarmPrefetch::WarmPrefetch(relay::EventLoop& loop, Callbacks callbacks)
    : loop_(loop), callbacks_(std::move(callbacks)), timer_(loop) {}

void WarmPrefetch::call_begins(std::string_view request) {
  runs_ = 0;
  if (run_ && request != running_) run_->stop(SIGTERM);
}

void WarmPrefetch::remember(std::string request, std::set<std::string> roots, std::size_t documents) {
  std::erase_if(calls_, [&](const Call& call) { return call.request == request; });
  if (documents > most_documents) return;
  calls_.push_front({.request = std::move(request), .roots = std::move(roots), .asked = loop_.now()});
  if (calls_.size() > most_calls) calls_.pop_back();
}

void WarmPrefetch::changed(const std::string& root) {
  bool any = false;
  for (Call& call : calls_) {
    if (call.roots.contains(root)) any = call.is_due = true;
  }
  if (any) schedule();
}

void WarmPrefetch::schedule() {
  if (stopped_) return;
  timer_.start(quiet, [this] { run_next(); });
}

void WarmPrefetch::run_next() {
  std::erase_if(calls_, [&](const Call& call) { return loop_.now() - call.asked > asked_within; });
  const auto due = std::ranges::find_if(calls_, &Call::is_due);
  if (due == calls_.end() || stopped_ || runs_ >= most_runs) return;
  if (run_ || callbacks_.is_busy()) return schedule();
  due->is_due = false;
  ++runs_;
  running_ = due->request;
  run_ = callbacks_.make_run(running_, output_, [this] {
    run_.reset();
    callbacks_.on_finished();
    if (std::ranges::any_of(calls_, &Call::is_due)) schedule();
  });
  if (run_) run_->start();
}

void WarmPrefetch::stop() {
  stopped_ = true;
  timer_.stop();
  if (run_) run_->stop(SIGTERM);
}

}  // namespace symbols::warm
