// The tools of `symbols mcp`: what a model reads of them, and the arguments of a call as a question to
// servers or to an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/project_index.h"
#include "proxy/mcp/allowed_roots.h"
#include "proxy/mcp/mcp_session.h"
#include "proxy/output/document_run.h"

namespace symbols::mcp {

// What `symbols mcp` was given.
struct McpArguments {
  std::vector<std::string> roots{};  // folders that may be read; empty: the client's
  bool trust_project = false;
  std::optional<bool> confine{};  // InputOptions'
};

// What is asked of documents, or why it cannot be.
using PlannedRun = std::variant<output::PreparedRun, output::ContextRefusal>;
inline output::ContextRefusal refusal(const Error& error) {
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

// What a question is asked in. The first root is the working folder.
struct ToolScope {
  const AllowedRoots& roots;
  const McpArguments& trust;  // outlives the answer
  std::function<Result<index::ProjectIndex*>(const std::filesystem::path& root)> index_of;
  engine::KeptFlags kept_flags;
};

// Names, descriptions and arguments.
const std::vector<Tool>& tool_schemas();

// How a call of one of these is answered. Error: an argument is wrong or missing, a path is not in the roots,
// or the user's configuration is wrong.
Result<ToolPlan> plan_of(const ToolCall& call, const ToolScope& scope);

}  // namespace symbols::mcp
