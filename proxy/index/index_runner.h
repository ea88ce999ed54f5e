// Passes over a project for its index, one after the other, in a loop that goes on.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "base/result.h"
#include "proxy/engine/server_pool.h"
#include "proxy/index/index_pass.h"
#include "proxy/io/event_loop.h"
#include "proxy/output/document_run.h"
#include "proxy/output/run_output.h"
#include "proxy/servers/server_registry.h"

namespace symbols::index {

// Adds what is set for a pass over the project at `root`. Errors: configuration_of's.
Result<void> add_index_settings(output::DumpArguments& document, const fs::path& root);

// The index of the project at `root` in the user's cache. Error: there is no cache folder.
Result<IndexTarget> user_index(const fs::path& root);

// `symbols index --watch`: makes a pass, and another after each change of the project, until SIGINT, SIGTERM
// or SIGHUP, which end this process. `document` has the project's folder as its path. Returns only if the
// project cannot be watched, or not any more, or the first pass cannot be made: the exit status.
int watch_index(const output::DumpArguments& document, const IndexTarget& target,
                const servers::ServerRegistry& registry);

// Single-threaded.
class IndexRunner {
 public:
  struct Ended {
    bool changed_anything = false;  // files were asked for, kept or removed
    int stopped_by = 0;             // the signal of stop()
  };

  // `document` has the project's folder as its path. All but it and `target` outlive this.
  IndexRunner(io::EventLoop& loop, engine::ServerPool& servers, const servers::ServerRegistry& registry,
              output::RunOutput& output, output::DumpArguments document, IndexTarget target);

  // Begins a pass; none is under way. What failed in the pass before is not asked for again unless it has
  // changed. `on_end` is called from the loop, when its database is closed. Error: it cannot be made.
  Result<void> start(IndexPass::Summary summary, std::function<void(Ended)> on_end);
  // In place of the constructor's, for the passes from now on.
  void ask(output::DumpArguments document) { document_ = std::move(document); }
  void stop(int signal_number) {
    if (run_) run_->stop(signal_number);
  }
  bool is_running() const { return run_.has_value(); }
  const IndexTarget& target() const { return target_; }

 private:
  io::EventLoop& loop_;
  engine::ServerPool& servers_;
  const servers::ServerRegistry& registry_;
  output::RunOutput& output_;
  output::DumpArguments document_;
  IndexTarget target_;
  std::optional<output::DocumentRun> run_;
  IndexPass* pass_ = nullptr;  // of run_, which owns it
  FailedFiles failed_;
  bool notes_told_ = false;  // of what a walk leaves out
};

}  // namespace symbols::index
