// The tools of `symbols mcp`: what a model reads of them, and the arguments of a call as a question to
// servers or to an index.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/mcp/allowed_roots.h"
#include "proxy/mcp/mcp_arguments.h"
#include "proxy/mcp/tool_host.h"
#include "proxy/mcp/tool_work.h"

namespace symbols::mcp {

// What `symbols mcp` was given.
struct McpArguments {
  std::vector<std::string> roots{};  // folders that may be read; empty: the client's
  bool trust_project = false;
  std::optional<bool> confine{};  // InputOptions'
};

// mcp_schemas.cc: names, descriptions, and the arguments, which are the options of taker_of().
const std::vector<Tool>& tool_schemas();
std::uint32_t taker_of(std::string_view tool);

// What a question is asked in. The first root is the working folder.
struct ToolScope {
  const AllowedRoots& roots;
  const McpArguments& trust;  // outlives the answer
  std::function<Result<index::ProjectIndex*>(const std::filesystem::path& root)> index_of;
  batch::KeptFlags kept_flags;
};

// How the call of `tool`, one of tool_schemas(), is answered. Error: an argument is wrong or missing, a
// path is not in the roots, or the user's configuration is wrong.
Result<ToolPlan> plan_of(std::string_view tool, const ToolArguments& arguments, const ToolScope& scope);

}  // namespace symbols::mcp
