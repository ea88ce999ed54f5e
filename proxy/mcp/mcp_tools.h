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
#include "proxy/mcp/mcp_arguments.h"
#include "proxy/mcp/mcp_session.h"
#include "proxy/output/document_run.h"

namespace symbols::mcp {

// The arguments of `symbols mcp`.
struct McpArguments {
  std::vector<std::string> roots{};  // folders that may be read; empty: the client's
  bool trust_project = false;
  std::optional<bool> confine{};  // InputOptions'
};

// A prepared question about documents, or why there is none.
using PlannedRun = std::variant<output::PreparedRun, output::ContextRefusal>;
inline output::ContextRefusal refusal(const Error& error) {
  return {.lines = {error.text()}};
}

// The steps that answer a call, in this order; those left empty are skipped.
struct ToolPlan {
  // These are updated first.
  std::vector<index::ProjectIndex*> indexes{};
  // Asked of each of these indexes once it is up to date.
  std::function<Result<index::IndexAnswer>(const index::FoundIndex& place)> ask{};
  // Documents that servers are asked about.
  std::function<PlannedRun()> documents{};
  // About how long the answer may be, and how to get what was cut.
  std::uint64_t tokens = 0;
  std::string hint{};
};

// The surroundings of a call. The first root is the working folder.
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
