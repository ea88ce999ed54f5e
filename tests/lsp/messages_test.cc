#include "lsp/messages.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::lsp {
namespace messages_test {

using Kind = Envelope::Kind;

// Found by the fuzz target json: a reply spelled so passed, and its request was still taken for one that
// waits.
TEST_CASE("an envelope's names may have escapes") {
  const Result<Envelope> reply = read_envelope(R"({"\u0069d":1,"resul\u0074":2})");
  REQUIRE(reply.has_value());
  CHECK(reply->kind == Kind::reply);
  CHECK(reply->id == "1");
  CHECK(reply->rest == "2}");
  const Result<Envelope> request = read_envelope(R"({"i\u0064":"x","m\u0065thod":"a/b","params":{)");
  REQUIRE(request.has_value());
  CHECK(request->id == "\"x\"");
  CHECK(request->method == "a/b");
}

TEST_CASE("an envelope is read whatever the order of its members") {
  struct Case {
    const char* body;
    Kind kind;
    const char* id;
    const char* method;
    const char* rest;  // a prefix of what params, result or error must start with
  };
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}})", Kind::request, "1", "a/b",
       R"({"x":1}})"},
      {R"({"id":"1","method":"a/b","jsonrpc":"2.0"})", Kind::request, "\"1\"", "a/b", ""},
      {R"({"method":"a\/b","id":9007199254740993,"params":[]})", Kind::request, "9007199254740993", "a/b",
       "[]}"},
      {R"({"params":{"id":7,"method":"no"},"method":"m","id":2})", Kind::request, "2", "m", R"({"id":7)"},
      {R"({"jsonrpc":"2.0","method":"exit"})", Kind::notification, "", "exit", ""},
      {R"({"jsonrpc":"2.0","method":"n","params":{"a":"}\"{"}})", Kind::notification, "", "n",
       R"({"a":"}\"{"})"},
      {R"({"jsonrpc":"2.0","id":3,"result":[1,2]})", Kind::reply, "3", "", "[1,2]"},
      {R"({"jsonrpc":"2.0","result":{"a":[{"id":5}]},"id":"x\"y"})", Kind::reply, R"("x\"y")", "",
       R"({"a":)"},
      {R"({"id":4,"result":null})", Kind::reply, "4", "", "null"},
      {R"({"id":4,"error":null,"result":5})", Kind::reply, "4", "", "5"},
      {R"({"id":4,"result":null,"error":{"code":1}})", Kind::reply, "4", "", "null"},
      {R"({"id":null,"error":{"code":-32700,"message":"m"}})", Kind::error, "null", "", R"({"code":-32700)"},
      {R"({"error":{"code":1},"id":6})", Kind::error, "6", "", R"({"code":1})"},
      {" \r\n{ \"id\" : 1 ,\n\t\"method\" : \"m\" , \"params\" : { } } ", Kind::request, "1", "m", "{ }"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    const Result<Envelope> envelope = read_envelope(c.body);
    REQUIRE(envelope.has_value());
    CHECK(envelope->kind == c.kind);
    CHECK(envelope->id == c.id);
    CHECK(envelope->method == c.method);
    CHECK(envelope->rest.starts_with(c.rest));
  }
}

TEST_CASE("the reader stops once it knows: faults after that do not matter") {
  const Result<Envelope> reply = read_envelope(R"({"jsonrpc":"2.0","id":3,"result":[1,2,)");
  REQUIRE(reply.has_value());
  CHECK(reply->rest == "[1,2,");
  const Result<Envelope> request = read_envelope(R"({"id":3,"method":"m","params":{"text":"abc)");
  REQUIRE(request.has_value());
  CHECK(request->method == "m");
  const Result<Envelope> read_shortly = read_envelope(R"({"method":"m","params":{},"id":3})", false);
  REQUIRE(read_shortly.has_value());
  CHECK(read_shortly->kind == Kind::notification);
}

TEST_CASE("anything but a message is an error that quotes it") {
  for (const char* const body :
       {"", "hello", R"([{"id":1}])", "{}", R"({"id":1})", R"({"id" 1})", R"({"id":})", "{id:1}",
        R"({"id":1 "result":2})", R"({"result":[1,2)", R"({"method":5})", "{\"id\":2\x04,\"method\":\"m\"}",
        R"({"id":{"a":1},"result":1})", "{\"result\":1,\"id\":\"\x01\"}", R"({"method)"}) {
    CAPTURE(body);
    CHECK(read_envelope(body).has_error());
  }
  CHECK(read_envelope("{\"jsonrpc\":\"2.0\",\x1B[2J").error().message ==
        R"(not a JSON-RPC message: '{"jsonrpc":"2.0",\x1B[2J')");
}

TEST_CASE("a deeply nested message costs no stack") {
  const std::string deep =
      "{\"result\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + ",\"id\":1}";
  const Result<Envelope> envelope = read_envelope(deep);
  REQUIRE(envelope.has_value());
  CHECK(envelope->id == "1");
}

TEST_CASE("bodies are written member by member, and raw JSON is inserted unchanged") {
  CHECK(request_body("1", "initialize", R"({"a":9007199254740993})") ==
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":9007199254740993}})");
  CHECK(request_body(R"("p1")", "shutdown", {}) == R"({"jsonrpc":"2.0","id":"p1","method":"shutdown"})");
  CHECK(notification_body("exit", {}) == R"({"jsonrpc":"2.0","method":"exit"})");
  CHECK(notification_body("initialized", "{}") == R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  CHECK(cancel_body(R"("p1")") == R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"p1"}})");
  CHECK(result_body("null", "[1, 2]") == R"({"jsonrpc":"2.0","id":null,"result":[1, 2]})");
  CHECK(error_body("7", error_json(error_code::invalid_params, "no \"x\": \xC3\xA9")) ==
        R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no \"x\": \u00e9"}})");
  CHECK(error_json(1, "m", R"({"retry":false})") == R"({"code":1,"message":"m","data":{"retry":false}})");
}

}  // namespace messages_test
}  // namespace symbols::lsp
