// One call of a tool, from its start to the end of its servers' work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "proxy/batch/server_pool.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/project_index.h"
#include "proxy/mcp/tool_host.h"
#include "proxy/relay/event_loop.h"
#include "proxy/relay/timers.h"
#include "proxy/runs/document_run.h"
#include "proxy/runs/prepare.h"
#include "proxy/runs/run_output.h"

namespace symbols::mcp {

// What is asked of documents, or why it cannot be.
using PlannedRun = std::variant<runs::PreparedRun, runs::ContextRefusal>;
inline runs::ContextRefusal refusal(const Error& error) {
  return {.lines = {error.text()}};
}

// How a call is answered: what there is of these, in this order.
struct ToolPlan {
  // Brought up to date first.
  std::vector<index::ProjectIndex*> indexes{};
  // Each of them is asked, when it is.
  std::function<Result<index::IndexAnswer>(const index::FoundIndex& place)> ask{};
  // Documents that servers are asked about.
  std::function<PlannedRun()> documents{};
  // How long the answer may be, about, and how to get what that leaves out.
  std::uint64_t tokens = 0;
  std::string hint{};
};

class ToolWork final : public runs::RunOutput {
 public:
  // What all calls share; outlives them.
  struct Shared {
    relay::EventLoop& loop;
    batch::ServerPool& servers;
    std::function<void(const ToolWork& work)> on_end;  // from the loop; destroys the work
    std::string last_note{};                           // that an answer had
  };

  ToolWork(Shared& shared, ToolPlan plan, ToolHost::Events events)
      : shared_(shared), plan_(std::move(plan)), events_(std::move(events)) {}

  void start() { next(); }
  // Nobody waits any more. Shared::on_end follows, also later.
  void cancel();

  void write(std::string_view text) override { text_ += text; }
  void tell(std::string_view message) override;
  bool shows_progress() const override { return true; }
  void show_progress(std::string_view text) override;

 private:
  void next();
  void ask(const index::FoundIndex& place);
  void ask_servers();
  void add_note(const std::string& note);
  void end(int status);
  ToolResult result(int status);

  Shared& shared_;
  ToolPlan plan_;
  ToolHost::Events events_;
  std::size_t begun_ = 0;  // of the indexes
  bool index_failed_ = false;
  std::string index_note_;  // what the last index does not have yet
  std::string text_;
  std::string notes_;
  std::string progress_;
  relay::Timer ending_{shared_.loop};
  bool is_cancelled_ = false;
  bool is_ended_ = false;
  std::unique_ptr<runs::DocumentRun> run_;  // which writes to this
};

}  // namespace symbols::mcp
