// The tools of `symbols mcp`: what a model may ask, and how each is answered, with servers that stay.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/batch/warm_servers.h"
#include "proxy/index/index_answers.h"
#include "proxy/indexing/project_index.h"
#include "proxy/mcp/allowed_roots.h"
#include "proxy/mcp/mcp_arguments.h"
#include "proxy/mcp/tool_host.h"
#include "proxy/relay/event_loop.h"
#include "proxy/runs/kept_run.h"

namespace symbols::mcp {

// For the model, before any call: what the tools are for.
extern const char* const tools_instructions;

// Single-threaded.
class McpTools final : public ToolHost {
 public:
  struct Options {
    // Folders that may be read, those of the command line; empty: the client's, or the working folder.
    std::vector<std::string> roots;
    bool trust_project = false;
    std::optional<bool> confine{};  // InputOptions'
  };

  // `loop` outlives it.
  McpTools(relay::EventLoop& loop, batch::WarmLimits limits, Options options);
  ~McpTools() override;
  McpTools(const McpTools&) = delete;
  McpTools& operator=(const McpTools&) = delete;

  const std::vector<Tool>& tools() const override;
  std::unique_ptr<RunningTool> start(ToolCall call, Events events) override;

  // Ends all servers and runs; no call is running. `done` is called from the loop.
  void stop(std::function<void()> done);

 private:
  class Work;
  class DocumentWork;
  class NamedContextWork;
  class FailedWork;
  class IndexWork;
  class Handle;
  using Made = Result<std::unique_ptr<Work>>;
  using AskIndex = std::function<Result<index::IndexAnswer>(const index::FoundIndex& place)>;

  Result<AllowedRoots> roots_for(const ToolCall& call) const;
  Made make_work(const ToolCall& call);
  Made outline(const ToolArguments& arguments, const AllowedRoots& roots);
  Made diagnostics(const ToolArguments& arguments, const AllowedRoots& roots);
  Made context(const ToolArguments& arguments, const AllowedRoots& roots, bool hover_only);
  Made find(const ToolArguments& arguments, const AllowedRoots& roots);
  Made map(const ToolArguments& arguments, const AllowedRoots& roots);

  Made about_documents(std::string_view tool, const ToolArguments& arguments, const AllowedRoots& roots,
                       const options::AnswerOptions& answers, std::string hint);
  Made about_indexes(const std::vector<std::filesystem::path>& roots, AskIndex ask, std::uint64_t tokens,
                     std::string hint);
  Result<runs::KeptRun> find_documents(runs::Dump dump, const AllowedRoots& roots) const;
  Result<runs::KeptRun> prepare_context_run(const AllowedRoots& roots,
                                            const settings::ContextArguments& arguments) const;
  Result<indexing::ProjectIndex*> index_of(const std::filesystem::path& root);
  void add_note(std::string& notes, const std::string& note);
  void remove(const Work& work);
  void end_if_stopped();

  relay::EventLoop& loop_;
  Options options_;
  std::string started_in_;  // the working folder
  batch::WarmServers servers_;
  std::map<std::filesystem::path, std::unique_ptr<indexing::ProjectIndex>> indexes_;
  std::list<std::unique_ptr<Work>> work_;  // also what was cancelled, until its servers are let go
  std::string last_note_;
  std::function<void()> stopped_;
};

}  // namespace symbols::mcp
