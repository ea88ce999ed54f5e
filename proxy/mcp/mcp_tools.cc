#include "proxy/mcp/mcp_tools.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "proxy/mcp/mcp_arguments.h"
#include "proxy/mcp/tool_questions.h"

namespace symbols::mcp {

namespace fs = std::filesystem;

const char* const tools_instructions =
    "Facts about source code from its language servers, in few tokens. Start with `map` in a project that "
    "you do not know, `find` for a name, `outline` for what is in a file: read it before the file, then only "
    "the lines that matter. `context` has everything about one symbol: its source, who uses and who calls "
    "it. `diagnostics` after an edit. Paths are relative to the project's root; lines count from 1.";

// The client's hold on a call.
class McpTools::Handle final : public RunningTool {
 public:
  Handle(McpTools& tools, const ToolWork* work) : tools_(tools), work_(work) {}
  ~Handle() override {
    const auto work = std::ranges::find(tools_.work_, work_, [](const auto& one) { return one.get(); });
    if (work != tools_.work_.end()) (*work)->cancel();
  }

 private:
  McpTools& tools_;
  const ToolWork* work_;
};

McpTools::McpTools(relay::EventLoop& loop, batch::PoolLimits limits, McpArguments arguments)
    : loop_(loop), arguments_(std::move(arguments)), servers_(loop, limits, [](const std::string&) {}) {
  std::error_code failure;
  started_in_ = fs::current_path(failure).string();
}

McpTools::~McpTools() = default;

const std::vector<Tool>& McpTools::tools() const {
  return tool_schemas();
}

std::unique_ptr<RunningTool> McpTools::start(ToolCall call, Events events) {
  servers_.call_begins();
  Result<ToolPlan> plan = make_plan(call);
  if (!plan) plan = ToolPlan{.documents = [error = plan.error()] { return refusal(error); }};
  ToolWork& work =
      *work_.emplace_back(std::make_unique<ToolWork>(shared_, std::move(*plan), std::move(events)));
  work.start();
  return std::make_unique<Handle>(*this, &work);
}

void McpTools::remove(const ToolWork& work) {
  std::erase_if(work_, [&](const auto& one) { return one.get() == &work; });
  end_if_stopped();
}

void McpTools::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  for (const auto& work : work_) work->cancel();
  end_if_stopped();
}

void McpTools::end_if_stopped() {
  if (!stopped_ || !work_.empty()) return;
  if (!indexes_.empty()) {
    const auto index = indexes_.begin();
    return index->second->stop([this, index] {
      // From the loop, and from within it.
      loop_.later(std::chrono::milliseconds(0), [this, index] {
        indexes_.erase(index);
        end_if_stopped();
      });
    });
  }
  servers_.stop(std::exchange(stopped_, {}));
}

Result<AllowedRoots> McpTools::roots_for(const ToolCall& call) const {
  if (!arguments_.roots.empty()) return AllowedRoots::of(arguments_.roots);
  if (call.roots) return AllowedRoots::of(*call.roots);
  return AllowedRoots::of({started_in_});
}

Result<index::ProjectIndex*> McpTools::index_of(const fs::path& root) {
  const auto known = indexes_.find(root);
  if (known != indexes_.end()) return known->second.get();
  Result<std::unique_ptr<index::ProjectIndex>> index =
      index::ProjectIndex::open(loop_, servers_, root, arguments_.trust_project, arguments_.confine);
  if (!index) return index.error();
  return indexes_.emplace(root, std::move(*index)).first->second.get();
}

Result<ToolPlan> McpTools::make_plan(const ToolCall& call) {
  const Result<ToolArguments> arguments = ToolArguments::read(call.arguments, taker_of(call.tool));
  if (!arguments) return arguments.error();
  const Result<AllowedRoots> roots = roots_for(call);
  if (!roots) return roots.error();
  // Relative paths start from the first root, in questions and in answers.
  if (const Result<void> entered = roots->enter(); !entered) return entered.error();
  return plan_of(call.tool, *arguments,
                 {.roots = *roots,
                  .trust = arguments_,
                  .index_of = [this](const fs::path& root) { return index_of(root); },
                  .kept_flags = [this](const std::string& root) { return servers_.guessed_flags(root); }});
}

}  // namespace symbols::mcp
