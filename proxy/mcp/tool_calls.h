// Calls of the tools of `symbols mcp`, answered by servers that stay and by indexes that are kept up to date.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "proxy/engine/server_pool.h"
#include "proxy/index/project_index.h"
#include "proxy/io/event_loop.h"
#include "proxy/mcp/mcp_session.h"
#include "proxy/mcp/mcp_tools.h"

namespace symbols::mcp {

// For the model, before any call: what the tools are for.
extern const char* const tools_instructions;

// Single-threaded.
class ToolCalls {
 public:
  // `loop` outlives it. Without roots in the arguments those are the client's, or the working folder.
  ToolCalls(io::EventLoop& loop, engine::PoolLimits limits, McpArguments arguments);
  ~ToolCalls();
  ToolCalls(const ToolCalls&) = delete;
  ToolCalls& operator=(const ToolCalls&) = delete;

  // SessionOptions::start
  std::function<void()> start(ToolCall call, ToolEvents events);

  // Ends all servers and runs; no call is running. `done` is called from the loop.
  void stop(std::function<void()> done);

 private:
  class Work;

  Result<ToolPlan> make_plan(const ToolCall& call);
  Result<index::ProjectIndex*> index_of(const std::filesystem::path& root);
  void end_if_stopped();

  io::EventLoop& loop_;
  McpArguments arguments_;
  std::string started_in_;  // the working folder
  engine::ServerPool servers_;
  std::map<std::filesystem::path, std::unique_ptr<index::ProjectIndex>> indexes_;
  std::list<std::unique_ptr<Work>> work_;  // also what was cancelled, until it has released its servers
  std::string last_note_;                  // that an answer had
  std::function<void()> stopped_;
};

}  // namespace symbols::mcp
