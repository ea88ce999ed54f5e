#include "lsp/json_rpc.h"

#include <doctest/doctest.h>

#include "lsp/envelope.h"
#include "lsp/reply.h"

namespace symbols::lsp {
namespace {

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

TEST_CASE("the envelope's reader recognises what was written") {
  const std::string request = request_body("1", "a/b", "[]");
  CHECK(read_envelope(request)->kind == Envelope::Kind::request);
  const std::string notification = notification_body("a/b", "[]");
  CHECK(read_envelope(notification)->kind == Envelope::Kind::notification);
  const std::string result = result_body("1", "null");
  CHECK(read_envelope(result)->kind == Envelope::Kind::reply);
  const std::string error = error_body("1", error_json(1, ""));
  CHECK(read_envelope(error)->kind == Envelope::Kind::error);
}

}  // namespace
}  // namespace symbols::lsp
