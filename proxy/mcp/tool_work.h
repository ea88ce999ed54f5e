// One call of a tool, from its start to the end of its servers' work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/batch/warm_servers.h"
#include "proxy/index/index_answers.h"
#include "proxy/indexing/project_index.h"
#include "proxy/mcp/tool_host.h"
#include "proxy/relay/event_loop.h"
#include "proxy/runs/kept_run.h"
#include "proxy/runs/run_output.h"

namespace symbols::mcp {

class ToolWork;

// What the calls have in common, which outlives them.
struct ToolCalls {
  relay::EventLoop& loop;
  batch::WarmServers& servers;
  std::function<void(const ToolWork& work)> on_end;  // from the loop; destroys the work
  std::string last_note{};                           // that an answer had
};

// How long an answer may be, about, and how to get what that leaves out.
struct AnswerBudget {
  std::uint64_t tokens;
  std::string hint;
};

class ToolWork : public runs::RunOutput {
 public:
  ToolWork(ToolCalls& calls, AnswerBudget budget) : calls_(calls), budget_(std::move(budget)) {}
  ~ToolWork() override { calls_.loop.cancel(ending_); }

  virtual void start() = 0;

  void write(std::string_view text) override { text_ += text; }
  void tell(std::string_view message) override;
  bool shows_progress() const override { return true; }
  void show_progress(std::string_view text) override;
  std::size_t unwritten_answers() const override { return 0; }
  std::size_t unwritten() const override { return 0; }

  void give(ToolHost::Events events) { events_ = std::move(events); }
  void abandon();

 protected:
  // Nobody waits any more. end() follows, also later.
  virtual void cancel() = 0;
  // From the loop: this may be called from within what it removes.
  void end(int status);
  // Of an error with several lines each is one.
  void fail(const Error& error);
  // Once: what is left out of an index mostly stays so.
  void add_note(const std::string& note);
  bool has_answer() const { return !text_.empty(); }

  ToolCalls& calls_;

 private:
  ToolResult result(int status);

  AnswerBudget budget_;
  std::string text_;
  std::string notes_;
  ToolHost::Events events_;
  std::string progress_;
  relay::Timers::Timer ending_ = 0;
  bool is_cancelled_ = false;
  bool is_ended_ = false;
};

// Documents that servers are asked about.
std::unique_ptr<ToolWork> document_work(ToolCalls& calls, runs::KeptRun run, AnswerBudget budget);

// A question to the indexes of projects, each brought up to date before it is asked.
using AskIndex = std::function<Result<index::IndexAnswer>(const index::FoundIndex& place)>;
std::unique_ptr<ToolWork> index_work(ToolCalls& calls, std::vector<indexing::ProjectIndex*> indexes,
                                     AskIndex ask, AnswerBudget budget);

// Documents that are known when `index` is up to date.
using PrepareRun = std::function<Result<runs::KeptRun>()>;
std::unique_ptr<ToolWork> indexed_document_work(ToolCalls& calls, indexing::ProjectIndex& index,
                                                PrepareRun prepare, AnswerBudget budget);

// A call that was wrong.
std::unique_ptr<ToolWork> failed_work(ToolCalls& calls, Error error);

}  // namespace symbols::mcp
