// The tools of `symbols mcp`: what a model reads of them, their arguments (mcp_arguments.cc), each call as a
// question to servers or to an index (mcp_tools.cc), and its answer (tool_calls.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/engine/server_pool.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/project_index.h"
#include "proxy/io/event_loop.h"
#include "proxy/mcp/mcp_session.h"
#include "proxy/options/option_table.h"
#include "proxy/output/document_run.h"

namespace symbols::mcp {

// A JSON Schema of the arguments of a tool. `required`: one of them; empty for none.
std::string argument_schema(std::uint32_t taker, std::string_view required);

class ToolArguments {
 public:
  // `object`: a whole raw JSON object. `taker`: the tool, whose options are the arguments. Error: another one
  // is given, or one of another type or out of range.
  static Result<ToolArguments> read(std::string_view object, std::uint32_t taker);

  // The arguments that are options of answers.
  const options::AnswerOptions& answers() const { return answers_; }

  // None if it is absent or null.
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::uint64_t> number(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;  // a string alone counts as a list of it

  // Identifies this call of `tool` by its arguments except `but_for`.
  std::vector<std::string> words(std::string_view tool, std::string_view but_for) const;

 private:
  Result<void> check(const options::Option& option, const std::string& name);
  std::optional<options::OptionValue> value(std::string_view name) const;

  std::map<std::string, std::string, std::less<>> members_;  // raw values that are not null
  options::AnswerOptions answers_;
};

// The folders that a client of ours may ask about: no path leads out of them.
class AllowedRoots {
 public:
  // Those of `folders` that are folders. Error: none is, or one is `/`, which would confine nothing.
  static Result<AllowedRoots> of(const std::vector<std::string>& folders);

  // Canonical, at least one.
  const std::vector<fs::path>& all() const { return roots_; }
  const fs::path& first() const { return roots_.front(); }

  // The canonical path of a file or folder that is there: `given` is absolute, a file URI, or relative to one
  // of the roots, of which the first that has it counts. It is in a root as long as it is opened without
  // following links (files::Symlinks::refuse), for one may be put in its way any time. Errors: it is not
  // there, or not in a root, also by way of symbolic links or `..`; nothing is told of what is outside.
  Result<fs::path> find(const std::string& given) const;
  // Makes the first root the working folder. Error: it is not there any more, or is a link by now.
  Result<void> enter() const;
  // The root that a canonical path is in, by its name alone; null if it is in none.
  const fs::path* root_of(const fs::path& path) const;

 private:
  std::vector<fs::path> roots_;
};

// The arguments of `symbols mcp`.
struct McpArguments {
  std::vector<std::string> roots{};  // folders that may be read; empty: the client's
  bool trust_project = false;
  std::optional<bool> confine{};  // InputOptions'
};

// A prepared question about documents, why there is none, or the answer, where those asked before have it.
using PlannedRun = std::variant<output::PreparedRun, output::ContextRefusal, index::IndexAnswer>;
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
  bool is_in_steps = false;  // once these have answered, `documents` says what comes next
  // About how long the answer may be, and how to get what was cut.
  std::uint64_t tokens = 0;
  std::string hint{};
};

// The surroundings of a call. The first root is the working folder.
struct ToolScope {
  const AllowedRoots& roots;
  const McpArguments& trust;  // outlives the answer
  std::function<Result<index::ProjectIndex*>(const fs::path& root)> index_of;
  engine::KeptFlags kept_flags;
};

// Names, descriptions and arguments.
const std::vector<Tool>& tool_schemas();

// How a call of one of these is answered. Error: an argument is wrong or missing, a path is not in the roots,
// or the user's configuration is wrong.
Result<ToolPlan> plan_of(const ToolCall& call, const ToolScope& scope);

// For the model, before any call: what the tools are for.
extern const char* const tools_instructions;

// Single-threaded.
class ToolCalls {
 public:
  // `loop` outlives it. Without roots in the arguments those are the client's, or the working folder.
  ToolCalls(io::EventLoop& loop, engine::PoolLimits limits, McpArguments arguments);
  ~ToolCalls();

  // SessionOptions::start
  std::function<void()> start(ToolCall call, ToolEvents events);

  // Ends all servers and runs; no call is running. `done` is called from the loop.
  void stop(std::function<void()> done);

 private:
  class Work;

  Result<ToolPlan> make_plan(const ToolCall& call);
  Result<index::ProjectIndex*> index_of(const fs::path& root);
  void end_if_stopped();

  io::EventLoop& loop_;
  McpArguments arguments_;
  std::string started_in_;  // the working folder
  engine::ServerPool servers_;
  std::map<fs::path, std::unique_ptr<index::ProjectIndex>> indexes_;
  std::list<std::unique_ptr<Work>> work_;  // also what was cancelled, until it has released its servers
  std::map<const index::ProjectIndex*, std::string> doubts_;  // that an answer has told
  std::function<void()> stopped_;
};

}  // namespace symbols::mcp
