#include "lsp/requests.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace symbols::lsp {
namespace requests_test {

using Strings = std::vector<std::string>;

Envelope envelope(std::string_view body) {
  const Result<Envelope> read = read_envelope(body);
  REQUIRE(read.has_value());
  return *read;
}

// Requests of our own, and the outcome of each as text.
struct Own {
  Strings sent;
  Strings replies;
  OutgoingRequests requests{[this](std::string body) { sent.push_back(std::move(body)); }, "symbols-proxy-"};

  RequestNumber ask(const std::string& name) {
    return requests.request("m", "{}", [this, name](const Reply& reply) {
      replies.push_back(name + (reply.failed ? " failed " + std::to_string(reply.error.code) : "") + ": " +
                        std::string(reply.result));
    });
  }
  void receive(std::string_view body) { requests.receive(envelope(body)); }
};

TEST_CASE("outgoing requests: how they are written") {
  Own own;
  own.requests.request("a/b", R"({"x":1})", [](const Reply&) {});
  own.requests.request("shutdown", "", [](const Reply&) {});
  own.requests.cancel(1);
  own.requests.cancel(1);
  own.requests.cancel(3);
  CHECK(own.sent ==
        Strings{R"({"jsonrpc":"2.0","id":"symbols-proxy-1","method":"a/b","params":{"x":1}})",
                R"({"jsonrpc":"2.0","id":"symbols-proxy-2","method":"shutdown"})",
                R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"symbols-proxy-1"}})"});
}

TEST_CASE("outgoing requests: which ids are ours") {
  Own own;
  own.ask("a");
  for (const auto& [id, is_own] : {std::pair{R"("symbols-proxy-1")", true},
                                   {R"("symbols-proxy-2")", true},
                                   {R"("symbols-proxy-0")", false},
                                   {"1", false},
                                   {R"("1")", false},
                                   {R"("symbols-proxy-")", false},
                                   {R"("symbols-proxy-x")", false},
                                   {R"("symbols-proxy-1x")", false},
                                   {R"("symbols-proxy--1")", false},
                                   {"symbols-proxy-1", false},
                                   {R"("Symbols-proxy-1")", false},
                                   {R"("symbols-proxy-99999999999999999999999")", false},
                                   {"", false},
                                   {"null", false}}) {
    CAPTURE(id);
    CHECK(own.requests.is_own(id) == is_own);
  }
}

TEST_CASE("outgoing requests: replies find their handlers once, in any order") {
  Own own;
  own.ask("a");
  own.ask("b");
  const RequestNumber c = own.ask("c");
  own.receive(R"({"id":"symbols-proxy-2","result":[1, 2]})");
  own.receive(R"({"id":"symbols-proxy-2","result":"twice"})");
  own.receive(R"({"result":null,"id":"symbols-proxy-9"})");
  own.receive(R"({"id":"symbols-proxy-1","error":{"code":-32801,"message":"m","data":{}}})");
  own.requests.cancel(c);
  own.receive(R"({"id":"symbols-proxy-3","error":{"code":-32800,"message":"cancelled"}})");
  CHECK(own.requests.size() == 0);
  REQUIRE(own.replies.size() == 2);
  CHECK(own.replies[0].starts_with("b: [1, 2]"));
  CHECK(own.replies[1].starts_with(R"(a failed -32801: {"code":-32801,"message":"m","data":{}})"));
}

TEST_CASE("outgoing requests: errors of other shapes") {
  Own own;
  for (const char* const error : {R"({"message":"m"})", R"("words")", "[1]", R"({"code":"x"})", "7"}) {
    own.ask("a");
    own.requests.receive({.kind = Envelope::Kind::error,
                          .id = "\"symbols-proxy-" + std::to_string(own.sent.size()) + "\"",
                          .method = {},
                          .rest = error});
    CHECK(own.replies.back() == std::string("a failed 0: ") + error);
  }
}

}  // namespace requests_test
}  // namespace symbols::lsp
