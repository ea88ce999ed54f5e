// The tools that a session of the Model Context Protocol offers, and the host that runs them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::mcp {

// A tool as tools/list describes it.
struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;  // for the model
  std::string input_schema;      // a JSON Schema object
};

struct ToolCall {
  std::string tool;       // the name of one of the host's tools
  std::string arguments;  // a raw JSON object
  // The folders that the client lets us read, absolute paths; none where it cannot tell.
  std::optional<std::vector<std::string>> roots{};
};

// Text for the model: an answer, or an error that says what to do.
struct ToolResult {
  std::string text;
  bool is_error = false;
};

// A call that is being answered. To destroy it is to cancel it.
class RunningTool {
 public:
  virtual ~RunningTool() = default;
};

class ToolHost {
 public:
  // Neither is called from within start(), nor after the call was cancelled.
  struct Events {
    std::function<void(const std::string& text)> progress;
    std::function<void(ToolResult result)> done;  // once; may destroy the call
  };

  virtual ~ToolHost() = default;
  // In the same order each time.
  virtual const std::vector<Tool>& tools() const = 0;
  // Never null.
  virtual std::unique_ptr<RunningTool> start(ToolCall call, Events events) = 0;
};

}  // namespace symbols::mcp
