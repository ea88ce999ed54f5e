// Asks again ahead of time: once files of a project have changed and all is quiet, the calls of before are
// run for nobody, so that the next one of them finds its answers.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "proxy/relay/event_loop.h"
#include "proxy/runs/document_run.h"
#include "proxy/runs/run_output.h"

namespace symbols::warm {

// Single-threaded.
class WarmPrefetch {
 public:
  struct Callbacks {
    // The run of a call's request; null where it cannot be run any more.
    std::function<std::unique_ptr<runs::DocumentRun>(const std::string& request, runs::RunOutput& output,
                                                     std::function<void()> on_end)>
        make_run;
    std::function<bool()> is_busy;      // whether calls are being answered
    std::function<void()> on_finished;  // a run has ended
  };

  // `loop` outlives it.
  WarmPrefetch(relay::EventLoop& loop, Callbacks callbacks);

  // A call begins: what runs for nobody makes room, unless it is the same request.
  void call_begins(std::string_view request);
  // A call about this many documents in these projects (their roots) was begun.
  void remember(std::string request, std::set<std::string> roots, std::size_t documents);
  // Something in the project has changed.
  void changed(const std::string& root);

  void stop();
  bool is_running() const { return run_ != nullptr; }

 private:
  struct Call {
    std::string request;
    std::set<std::string> roots;
    relay::Timers::Clock::time_point asked{};
    bool is_due = false;  // something in its projects has changed since
  };

  void schedule();
  void run_next();

  relay::EventLoop& loop_;
  Callbacks callbacks_;
  std::list<Call> calls_;  // the last one first
  std::string running_;    // the request
  relay::Timer timer_;     // before the run, whose end may start it
  runs::NoOutput output_;
  std::unique_ptr<runs::DocumentRun> run_;
  std::size_t runs_ = 0;  // since the last call
  bool stopped_ = false;
};

}  // namespace symbols::warm
