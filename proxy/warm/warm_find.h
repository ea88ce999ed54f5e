// `symbols find` where a project has no index: the servers that are kept for it are asked (workspace/symbol).
#pragma once

#include <filesystem>
#include <functional>

#include "proxy/batch/workspace_search.h"
#include "proxy/runs/run_output.h"
#include "proxy/settings/arguments.h"
#include "proxy/terminal/near_path.h"

namespace symbols::warm {

// Single-threaded.
class WarmFind {
 public:
  // The folder is --root, else the present working folder, which later may be another one. `servers`,
  // `timers` and `output` outlive this. `on_end` is called once all is answered and written to `output`; it
  // may not destroy this. Destroyed before, it stops the servers that have not answered.
  WarmFind(batch::WarmServers& servers, relay::Timers& timers, runs::RunOutput& output,
           settings::FindArguments arguments, std::function<void()> on_end);

  // Whether a server is kept that can be asked.
  bool any() const { return search_.any(); }
  // Once, if any().
  void start() { search_.start(); }
  int status() const { return status_; }  // the exit status

 private:
  void print(batch::WorkspaceSymbols answer);

  runs::RunOutput& output_;
  settings::FindArguments arguments_;
  std::function<void()> on_end_;
  std::filesystem::path folder_;
  terminal::NearPaths near_;
  int status_ = 0;
  batch::WorkspaceSearch search_;
};

}  // namespace symbols::warm
