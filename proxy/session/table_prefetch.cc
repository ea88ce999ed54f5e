#include "proxy/session/table_prefetch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace symbols::session {
namespace {

// People and agents pause longer than this before they look at what they wrote.
constexpr std::chrono::milliseconds pause{300};
constexpr std::size_t most_tables = 4;
// Somebody who types on and never asks again is not to keep the server busy for ever.
constexpr std::size_t most_runs = 8;
constexpr std::size_t most_waits = 100;

}  // namespace

TablePrefetch::TablePrefetch(relay::Timers& timers, Callbacks callbacks)
    : callbacks_(std::move(callbacks)), timer_(timers) {}

void TablePrefetch::asked(Table table) {
  std::erase_if(tables_, [&](const Entry& entry) { return entry.table.uri == table.uri; });
  tables_.push_front({.table = std::move(table)});
  if (tables_.size() > most_tables) tables_.pop_back();
}

void TablePrefetch::changed() {
  cancel();
  for (Entry& entry : tables_) entry.is_due = entry.runs < most_runs;
  waits_ = 0;
  wait();
}

void TablePrefetch::make_room() {
  cancel();
  waits_ = 0;
  wait();
}

void TablePrefetch::stop() {
  cancel();
  tables_.clear();
  timer_.stop();
}

void TablePrefetch::wait() {
  timer_.stop();
  if (std::ranges::none_of(tables_, &Entry::is_due)) return;
  timer_.start(pause, [this] { run_next(); });
}

void TablePrefetch::run_next() {
  if (!callbacks_.may_run()) {
    if (++waits_ < most_waits) wait();
    return;
  }
  const auto due = std::ranges::find_if(tables_, &Entry::is_due);
  if (due == tables_.end()) return;
  due->is_due = false;
  ++due->runs;
  const auto done = [this](const query::Answer&) {
    // From the loop: this is called from within the query.
    timer_.start(std::chrono::milliseconds(0), [this] {
      if (std::exchange(running_, nullptr)) callbacks_.on_running(false);
      run_next();
    });
  };
  running_ = callbacks_.make_query(due->table, done);
  if (!running_) {
    tables_.erase(due);
    return run_next();
  }
  running_uri_ = due->table.uri;
  callbacks_.on_running(true);
  running_->start();
}

void TablePrefetch::cancel() {
  if (!running_) return;
  for (Entry& entry : tables_) entry.is_due = entry.is_due || entry.table.uri == running_uri_;
  running_.reset();
  callbacks_.on_running(false);
}

}  // namespace symbols::session
