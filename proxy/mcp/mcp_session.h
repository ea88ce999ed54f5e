// One client of the Model Context Protocol: https://modelcontextprotocol.io/specification/2026-07-28, whose
// requests each name their revision, and the revisions before it, which begin with `initialize`. Messages in,
// messages out; without I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/io/timers.h"

namespace symbols::mcp {

// A tool as tools/list describes it.
struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;  // for the model
  std::string input_schema;      // a JSON Schema object
};

struct ToolCall {
  std::string tool;       // its name
  std::string arguments;  // a raw JSON object
  // The folders that the client lets us read, absolute paths; none where it cannot tell.
  std::optional<std::vector<std::string>> roots{};
};

// Text for the model: an answer, or an error that says what to do.
struct ToolResult {
  std::string text;
  bool is_error = false;
};

// What a call tells. Neither is called while it is started, nor after it was cancelled.
struct ToolEvents {
  std::function<void(const std::string& text)> progress;
  std::function<void(ToolResult result)> done;  // once
};

struct SessionOptions {
  std::string version;       // of this program
  std::string instructions;  // for the model: what the tools are for
  std::vector<Tool> tools;
  // Starts a call of one of them, and returns what cancels it; not to be called once it is done.
  std::function<std::function<void()>(ToolCall call, ToolEvents events)> start;
  // Whether the folders that may be read are the client's to tell. Otherwise it is not asked.
  bool asks_for_roots = true;
};

// Single-threaded. Each request that has an id gets one reply, unless the client cancels it.
class McpSession {
 public:
  // More calls at a time are refused.
  static constexpr std::size_t max_calls = 64;

  // `send` gets whole messages, without a line end and without any inside. `timers` outlive the session.
  McpSession(SessionOptions options, io::Timers& timers, std::function<void(std::string message)> send);

  // A message of the client; a text that is none is answered by an error.
  void receive(std::string_view message);
  // For what is too long to be read.
  void refuse(std::string_view why);

  // The client says nothing more: what it listens to ends. Calls are still answered.
  void end_input();

  // Whether a call is being answered.
  bool is_busy() const { return !calls_.empty(); }
  // Called when the last call has been answered or cancelled.
  std::function<void()> on_idle = [] {};

 private:
  struct Request;
  struct Call {
    std::function<void()> cancel{};  // empty while it waits for the roots
    bool is_modern = false;
    std::string progress_token{};  // raw; empty: the client wants no progress
    std::uint64_t told = 0;        // of progress
    io::Timers::Clock::time_point told_at{};
    std::optional<ToolCall> waiting{};  // for the roots
  };
  enum class Roots { unknown, asked, known };

  void receive_one(std::string_view message);
  void receive_notification(std::string_view method, std::string_view params);
  void receive_reply(std::string_view id, std::string_view result);
  void receive_request(const Request& request);
  void receive_modern(const Request& request);
  void receive_of_tools(const Request& request);
  void receive_initialize(const Request& request);
  void call_tool(const Request& request);
  void listen(const Request& request);
  void ask_for_roots();
  void roots_known(std::optional<std::vector<std::string>> roots);
  void start(const std::string& id, ToolCall call);
  void finish(const std::string& id, ToolResult result);
  void tell_progress(const std::string& id, const std::string& text);
  void cancel(std::string_view id);
  void reply(std::string_view id, bool is_modern, std::string_view members);
  void fail(std::string_view id, int code, std::string_view message, std::string_view data = {});
  std::string tool_list() const;
  std::string server_info() const;

  SessionOptions options_;
  io::Timers& timers_;
  std::function<void(std::string)> send_;
  bool initialized_ = false;
  bool client_has_roots_ = false;
  bool client_takes_progress_ = true;
  Roots roots_state_ = Roots::unknown;
  std::optional<std::vector<std::string>> roots_{};
  std::uint64_t roots_requests_ = 0;
  io::Timer roots_timer_{timers_};
  std::map<std::string, Call, std::less<>> calls_;    // by raw id
  std::set<std::string, std::less<>> subscriptions_;  // raw ids
};

}  // namespace symbols::mcp
