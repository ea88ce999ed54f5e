// A session of the Model Context Protocol (proxy/mcp/): whatever a client writes, each of its requests gets
// one answer, unless it cancels it, and all that is written is one line of JSON each.
//
// The input is lines: each is a message, but for those that begin with `=N`, where the Nth running tool
// answers, and `+N`, where so much time passes.
// Covers: proxy/mcp/mcp_session.cc
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/json/raw_json.h"
#include "lsp/messages.h"
#include "proxy/mcp/mcp_session.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"
#include "tests/proxy/io/scripted_timers.h"

namespace symbols::fuzz::mcp_target {

using std::chrono::milliseconds;

// Runs tools until the script answers them.
class Host {
 public:
  std::function<void()> start(mcp::ToolCall call, mcp::ToolEvents of_call) {
    const Parsed arguments(call.arguments);
    holds(arguments.valid && arguments.document.IsObject(), "a tool's arguments are an object");
    events.emplace(++last_, std::move(of_call));
    return [this, number = last_] { events.erase(number); };
  }

  std::map<std::size_t, mcp::ToolEvents> events;  // of the running ones

 private:
  std::size_t last_ = 0;
};

void mcp(std::string_view data) {
  Input input(data);
  const bool asks_for_roots = input.flag();
  Host host;
  io::ScriptedTimers timers;
  std::map<std::string, std::size_t> asked;     // number of messages by id
  std::map<std::string, std::size_t> answered;  // number of answers by id
  symbols::mcp::McpSession session(
      {.version = "1.2",
       .instructions = "Ask.",
       .tools = {{"outline", "Outline", "Tells.", R"({"type":"object"})"}},
       .start =
           [&host](symbols::mcp::ToolCall call, symbols::mcp::ToolEvents events) {
             return host.start(std::move(call), std::move(events));
           },
       .asks_for_roots = asks_for_roots},
      timers, [&](const std::string& message) {
        holds(message.find('\n') == std::string::npos, "a message is one line");
        const Parsed parsed(message);
        if (!parsed.valid) same_text(message, "", "a message is JSON");
        const Result<lsp::Envelope> envelope = lsp::read_envelope(message);
        holds(envelope.has_value(), "a message is one of JSON-RPC");
        using Kind = lsp::Envelope::Kind;
        const bool is_answer = envelope->kind == Kind::reply || envelope->kind == Kind::error;
        if (is_answer && envelope->id != "null") {
          const std::string id(envelope->id);
          holds(++answered[id] <= asked[id], "no more answers than requests");
        }
      });
  const auto finish = [&](std::size_t which) {
    if (host.events.empty()) return;
    auto running = host.events.begin();
    std::advance(running, static_cast<std::ptrdiff_t>(which % host.events.size()));
    const auto events = running->second;
    events.progress("so far");
    host.events.erase(running);
    events.done({"text\n\x1b", which % 2 == 1});
  };

  for (int lines = 0; lines < 200 && !input.empty(); ++lines) {
    const std::string line(input.text_until('\n'));
    if (line.starts_with('=')) {
      finish(line.size() > 1 ? static_cast<unsigned char>(line[1]) : 0);
    } else if (line.starts_with('+')) {
      timers.pass(milliseconds(line.size() * 700));
    } else {
      // What is not a request is answered under its id as well.
      const auto count = [&](std::string_view message) {
        lsp::JsonMembers members(message);
        while (members.next()) {
          const auto id = members.name() == "id" ? members.value() : std::nullopt;
          if (id) ++asked[std::string(*id)];
        }
      };
      count(line);
      lsp::for_each_element(line, count);
      session.receive(line);
    }
  }
  timers.pass(milliseconds(60'000));
  while (!host.events.empty()) {
    const std::size_t before = host.events.size();
    finish(0);
    holds(host.events.size() < before, "a tool that is done runs no more");
  }
  holds(!session.is_busy(), "when all tools are done nobody waits");
  session.end_input();
}

const Registration registration("mcp", mcp);

}  // namespace symbols::fuzz::mcp_target
