#include "proxy/mcp/mcp_session.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/io/scripted_timers.h"

namespace symbols::mcp {
namespace mcp_session_test {

using std::chrono::milliseconds;
using namespace std::string_literals;

struct Fixture {
  explicit Fixture(bool asks_for_roots = true)
      : session({.version = "1.2",
                 .instructions = "Ask.",
                 .tools = {{.name = "outline",
                            .title = "Outline",
                            .description = "Tells.",
                            .input_schema = R"({"type":"object"})"}},
                 .start = [this](ToolCall call,
                                 ToolEvents of_call) { return start(std::move(call), std::move(of_call)); },
                 .asks_for_roots = asks_for_roots},
                time, [this](std::string message) { sent.push_back(std::move(message)); }) {}

  // Keeps the calls until the test answers them.
  std::function<void()> start(ToolCall call, ToolEvents of_call) {
    calls.push_back(std::move(call));
    events.push_back(std::move(of_call));
    return [this, number = calls.size() - 1] { cancelled.push_back(number); };
  }
  // The messages since the last time.
  std::vector<std::string> take() { return std::exchange(sent, {}); }
  std::string only() {
    REQUIRE(sent.size() == 1);
    return take().front();
  }
  void initialize(const std::string& capabilities = "{}", const std::string& client = "test") {
    session.receive(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
        capabilities + R"(,"clientInfo":{"name":")" + client + "\"}}}");
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    sent.erase(sent.begin());
  }

  std::vector<ToolCall> calls;
  std::vector<ToolEvents> events;
  std::vector<std::size_t> cancelled;
  io::ScriptedTimers time;
  std::vector<std::string> sent;
  McpSession session;
};

const std::string modern =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string request(const std::string& id, const std::string& method, const std::string& members) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + members + "}}";
}

TEST_CASE("mcp: the revision is negotiated") {
  struct Case {
    const char* asked;
    const char* answered;
  };
  for (const Case& c : {Case{"2025-11-25", "2025-11-25"}, Case{"2025-06-18", "2025-06-18"},
                        Case{"2024-11-05", "2024-11-05"}, Case{"1999-01-01", "2025-11-25"}}) {
    Fixture f;
    f.session.receive(
        request("1", "initialize", R"("protocolVersion":")"s + c.asked + R"(","capabilities":{})"));
    CHECK(f.only().find(R"("protocolVersion":")"s + c.answered + '"') != std::string::npos);
  }
}

TEST_CASE("mcp: requests of the present revision stand for themselves") {
  Fixture f;
  f.session.receive(request("\"a\"", "server/discover", modern));
  const std::string discovered = f.only();
  CHECK(discovered.find(R"("supportedVersions":["2026-07-28"])") != std::string::npos);
  CHECK(discovered.find(R"("resultType":"complete")") != std::string::npos);
  f.session.receive(request("2", "tools/list", modern));
  CHECK(f.only().find(R"("cacheScope":"public")") != std::string::npos);
  std::string other = modern;
  other.replace(other.find("2026-07-28"), 10, "2031-01-01");
  f.session.receive(request("3", "tools/list", other));
  const std::string refused = f.only();
  CHECK(refused.find("-32022") != std::string::npos);
  CHECK(refused.find(R"("supported":["2026-07-28"],"requested":"2031-01-01")") != std::string::npos);
  f.session.receive(
      request("4", "tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"));
  CHECK(f.only().find("-32602") != std::string::npos);
  // It has no ping.
  f.session.receive(request("5", "ping", modern));
  CHECK(f.only().find("-32601") != std::string::npos);
}

TEST_CASE("mcp: a request that is of no revision lacks something in its params") {
  for (const char* const method : {"tools/list", "tools/call", "server/discover", "resources/list"}) {
    CAPTURE(method);
    Fixture f;
    f.session.receive(request("1", method, R"("_meta":{"io.modelcontextprotocol/clientCapabilities":{}})"));
    const std::string refused = f.only();
    CHECK(refused.find(R"("id":1,"error":{"code":-32602)") != std::string::npos);
    CHECK(refused.find("name the protocol version in _meta (2026-07-28)") != std::string::npos);
  }
  // After `initialize` a method is one of the revisions that have it, or of none.
  Fixture f;
  f.initialize();
  f.session.receive(request("1", "server/discover", ""));
  CHECK(f.only().find(R"("id":1,"error":{"code":-32602)") != std::string::npos);
  f.session.receive(request("2", "resources/list", ""));
  CHECK(f.only().find(R"("id":2,"error":{"code":-32601)") != std::string::npos);
  f.session.receive(request("3", "tools/list", ""));
  CHECK(f.only().find(R"("tools":[)") != std::string::npos);
}

TEST_CASE("mcp: a call is answered once, and not after it was cancelled") {
  Fixture f;
  f.initialize();
  f.session.receive(request("7", "tools/call", R"("name":"outline","arguments":{"paths":["a"]})"));
  REQUIRE(f.calls.size() == 1);
  CHECK(f.calls[0].arguments == R"({"paths":["a"]})");
  CHECK_FALSE(f.calls[0].roots);
  CHECK(f.sent.empty());
  f.session.receive(request("7", "ping", ""));  // the same id
  CHECK(f.only().find("-32600") != std::string::npos);
  f.events[0].done({.text = "two\nlines", .is_error = false});
  CHECK(
      f.only() ==
      R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"two\nlines"}],"isError":false}})");
  CHECK_FALSE(f.session.is_busy());

  bool idle = false;
  f.session.on_idle = [&] { idle = true; };
  f.session.receive(request("\"b\"", "tools/call", R"("name":"outline")"));
  f.session.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}})");
  CHECK(f.cancelled == std::vector<std::size_t>{1});
  CHECK(idle);
  CHECK(f.sent.empty());
}

TEST_CASE("mcp: progress goes to those that want it, and not too often") {
  Fixture f;
  f.initialize();
  f.session.receive(request("1", "tools/call", R"("name":"outline","_meta":{"progressToken":"t"})"));
  f.session.receive(request("2", "tools/call", R"("name":"outline")"));
  f.events[1].progress("x");
  CHECK(f.sent.empty());
  for (int i = 0; i < 10; ++i) {
    f.events[0].progress("step");
    f.time.pass(milliseconds(200));
  }
  const std::vector<std::string> told = f.take();
  REQUIRE(told.size() == 4);
  CHECK(told[1].find(R"({"progressToken":"t","progress":2,"message":"step"})") != std::string::npos);
  f.initialize("{}", "claude-code");
  f.take();
  f.session.receive(request("3", "tools/call", R"("name":"outline","_meta":{"progressToken":"t"})"));
  f.events[2].progress("step");
  CHECK(f.sent.empty());
}

TEST_CASE("mcp: the client's roots") {
  Fixture f;
  f.initialize(R"({"roots":{"listChanged":true}})");
  const std::string asked = f.only();
  CHECK(asked == R"({"jsonrpc":"2.0","id":"roots-1","method":"roots/list"})");
  f.session.receive(request("1", "tools/call", R"("name":"outline")"));
  CHECK(f.calls.empty());  // it waits
  f.session.receive(
      R"({"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///a%20b"},{"uri":"http://x"},{}]}})");
  REQUIRE(f.calls.size() == 1);
  CHECK(f.calls[0].roots == std::vector<std::string>{"/a b"});

  SUBCASE("they change") {
    f.session.receive(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    CHECK(f.only().find("roots-2") != std::string::npos);
    f.session.receive(R"({"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///old"}]}})");
    f.session.receive(R"({"jsonrpc":"2.0","id":"roots-2","result":{"roots":[]}})");
    f.session.receive(request("2", "tools/call", R"("name":"outline")"));
    CHECK(f.calls.at(1).roots == std::vector<std::string>{});
  }
  SUBCASE("the client does not tell") {
    f.session.receive(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    f.session.receive(request("2", "tools/call", R"("name":"outline")"));
    CHECK(f.calls.size() == 1);
    f.time.pass(milliseconds(6000));
    CHECK(f.calls.at(1).roots == std::vector<std::string>{"/a b"});
  }
  SUBCASE("it refuses") {
    f.session.receive(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    f.session.receive(R"({"jsonrpc":"2.0","id":"roots-2","error":{"code":-32601,"message":"no"}})");
    f.session.receive(request("2", "tools/call", R"("name":"outline")"));
    CHECK_FALSE(f.calls.at(1).roots);
  }
}

TEST_CASE("mcp: roots in the present revision come with a second try") {
  Fixture f;
  std::string meta = modern;
  meta.replace(meta.find("Capabilities\":{}") + 14, 2, R"({"roots":{}})");
  f.session.receive(request("1", "tools/call", R"("name":"outline",)" + meta));
  CHECK(
      f.only() ==
      R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"roots":{"method":"roots/list"}}}})");
  f.session.receive(
      request("2", "tools/call",
              R"("name":"outline","inputResponses":{"roots":{"roots":[{"uri":"file:///p"}]}},)" + meta));
  CHECK(f.calls.at(0).roots == std::vector<std::string>{"/p"});
  Fixture fixed(false);
  fixed.session.receive(request("1", "tools/call", R"("name":"outline",)" + meta));
  CHECK(fixed.calls.size() == 1);
}

TEST_CASE("mcp: a wrong message is answered by an error with its id") {
  struct Case {
    std::string message;
    std::string has;
  };
  Fixture f;
  f.initialize();
  for (const Case& c : {
           Case{"{", R"("id":null,"error":{"code":-32700)"},
           Case{"{} {}", R"("id":null,"error":{"code":-32700)"},
           Case{"7", R"("id":null,"error":{"code":-32600)"},
           Case{"[]", R"("id":null,"error":{"code":-32600)"},
           Case{R"({"jsonrpc":"2.0","id":3})", R"("id":3,"error":{"code":-32600)"},
           Case{R"({"jsonrpc":"2.0","id":{},"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
           Case{R"({"jsonrpc":"2.0","id":4,"method":"ping","params":[1]})",
                R"("id":4,"error":{"code":-32602)"},
           Case{request("5", "tools/run", ""), R"("id":5,"error":{"code":-32601)"},
           Case{request("6", "tools/call", R"("name":"out")"),
                "unknown tool: \\\"out\\\"; the tools are outline"},
           Case{request("7", "tools/call", R"("name":"outline","arguments":[])"),
                R"("id":7,"error":{"code":-32602)"},
           Case{request("8", "tools/list", R"("cursor":"x")"), R"("id":8,"error":{"code":-32602)"},
           Case{request("12345678901234567890123", "x", ""), R"("id":12345678901234567890123,)"},
       }) {
    CAPTURE(c.message);
    f.session.receive(c.message);
    const std::string answer = f.only();
    CHECK(answer.find(c.has) != std::string::npos);
    CHECK(answer.find('\n') == std::string::npos);
  }
  f.session.receive(" \r");
  f.session.receive(R"({"jsonrpc":"2.0","method":"notifications/unknown"})");
  CHECK(f.sent.empty());
  f.session.receive("[" + request("1", "ping", "") + "," + request("2", "ping", "") + "]");
  CHECK(f.take().size() == 2);
}

TEST_CASE("mcp: before initialize there are no calls of the old revisions") {
  Fixture f;
  f.session.receive(request("1", "tools/list", ""));
  CHECK(f.only().find("send initialize first") != std::string::npos);
  f.session.receive(request("2", "ping", ""));
  CHECK(f.only() == R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_CASE("mcp: no more calls at a time than the limit") {
  Fixture f;
  f.initialize();
  for (std::size_t i = 0; i <= McpSession::max_calls; ++i)
    f.session.receive(request(std::to_string(i), "tools/call", R"("name":"outline")"));
  CHECK(f.calls.size() == McpSession::max_calls);
  CHECK(f.only().find("are being answered") != std::string::npos);
}

TEST_CASE("mcp: a subscription is acknowledged, and ends with the input") {
  Fixture f;
  f.session.receive(
      request("9", "subscriptions/listen", modern + R"(,"notifications":{"toolsListChanged":true})"));
  CHECK(f.only().find(R"("io.modelcontextprotocol/subscriptionId":9)") != std::string::npos);
  f.session.end_input();
  CHECK(f.only().find(R"("id":9,"result":{"resultType":"complete")") != std::string::npos);
}

}  // namespace mcp_session_test
}  // namespace symbols::mcp
