// A session of the Model Context Protocol (proxy/mcp/): whatever a client writes, each of its requests gets
// one answer, unless it cancels it, and all that is written is one line of JSON each.
//
// The input is lines: each is a message, but for those that begin with `=N`, where the Nth running tool
// answers, and `+N`, where so much time passes.
// Covers: proxy/mcp/mcp_session.cc
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/messages.h"
#include "proxy/mcp/mcp_session.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/json_reference.h"
#include "tests/proxy/relay/scripted_timers.h"

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
  relay::ScriptedTimers timers;
  std::map<std::string, std::size_t> asked;     // requests by id, as often as they came
  std::map<std::string, std::size_t> answered;  // answers by id
  std::size_t idle = 0;
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
  session.on_idle = [&] { ++idle; };
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
      // As many requests as it may have, under each id that it shows: what is no request is answered by its
      // id as well.
      const Parsed parsed(line);
      const auto count = [&](const rapidjson::Value& message) {
        if (!message.IsObject()) return;
        for (const auto& member : message.GetObject()) {
          if (text_of(member.name) != "id" || !member.value.IsString()) continue;
          const std::string id =
              is_number(member.value) ? std::string(text_of(member.value).substr(1)) : std::string();
          if (!id.empty()) ++asked[id];
        }
      };
      // Strings are answered as they are written, escapes and all: those are counted by the text.
      for (std::size_t at = line.find("\"id\""); at != line.npos; at = line.find("\"id\"", at + 1)) {
        const std::size_t value =
            lsp::skip_json_whitespace(line, std::min(line.find(':', at) + 1, line.size()));
        const std::string_view raw = std::string_view(line).substr(value);
        if (!raw.starts_with('"')) continue;
        const std::size_t length = lsp::skip_json_string(raw);
        if (length != raw.npos) ++asked[std::string(raw.substr(0, length))];
      }
      if (parsed.valid) {
        count(parsed.document);
        if (parsed.document.IsArray()) {
          for (const auto& message : parsed.document.GetArray()) count(message);
        }
      } else {
        const std::size_t length = lsp::skip_json_value(line);
        holds(length == std::string::npos || length <= line.size(), "a value is within its line");
      }
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

SYMBOLS_FUZZ_TARGET(mcp)

}  // namespace symbols::fuzz::mcp_target
