// The index of one project, brought up to date before it is asked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/files/project_watch.h"
#include "proxy/index/index_runner.h"
#include "proxy/index/index_store.h"
#include "proxy/io/timers.h"

namespace symbols::index {

// Single-threaded.
class ProjectIndex {
 public:
  // `note`: files that the index lacks, a line each. `is_complete`: it would not have them later either.
  using Ready = std::function<void(const std::string& note, bool is_complete)>;
  using Progress = std::function<void(const std::string& text)>;

  // `root` is canonical. `loop` and `servers` outlive it. Error: the user's configuration is wrong, or there
  // is no place for the index.
  static Result<std::unique_ptr<ProjectIndex>> open(io::EventLoop& loop, engine::ServerPool& servers,
                                                    const fs::path& root, bool trust_project,
                                                    std::optional<bool> confine);
  ~ProjectIndex();

  // Brings the index up to date, and calls `ready` from the loop: when that is done, or after `limit`, while
  // it goes on. Files that cannot be answered do not keep the others from being so.
  void refresh(const void* waiter, milliseconds limit, Progress progress, Ready ready);
  // `waiter` does not wait any more. The pass goes on: what is kept is not asked for again.
  void forget(const void* waiter) { waiting_.erase(waiter); }
  // Ends a pass; `done` is called from the loop, at once if there is none.
  void stop(std::function<void()> done);

  // Notes of the last pass, a line each: what the index leaves out, how files were read, which have errors.
  // Mostly the same as long as this lives.
  const std::string& doubts() const { return doubts_; }
  FoundIndex place() const { return {runner_.target().root, runner_.target().database}; }

 private:
  class Output;
  struct Waiter {
    explicit Waiter(io::Timers& timers) : timer(timers) {}

    Progress progress;
    Ready ready;
    bool joined = false;  // a pass that had begun before
    io::Timer timer;
  };

  ProjectIndex(io::EventLoop& loop, engine::ServerPool& servers, servers::ServerRegistry registry,
               output::DumpArguments document, IndexTarget target);
  bool is_current();
  void pass();
  void passed(IndexRunner::Ended ended);
  void collect_doubts();
  void tell_waiting(const std::string& note, bool is_complete, bool but_joined = false);

  io::EventLoop& loop_;
  servers::ServerRegistry registry_;
  output::DumpArguments document_;  // without settings
  std::unique_ptr<Output> output_;
  IndexRunner runner_;
  std::unique_ptr<files::ProjectWatch> watch_;  // null: it is not known whether something has changed
  bool is_complete_ = false;                    // as of the last look
  std::string failures_;                        // of the last pass, a line each
  std::string doubts_;                          // the same
  std::map<const void*, Waiter> waiting_;
  std::function<void()> stopped_;
  io::Timer telling_{loop_};
};

}  // namespace symbols::index
