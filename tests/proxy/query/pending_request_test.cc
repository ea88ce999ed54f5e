// One request and its owner: retries, and what happens when the owner is destroyed.
#include "proxy/query/pending_request.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>

#include "tests/proxy/query/fake_server.h"

namespace symbols::query {
namespace {

using std::chrono::milliseconds;

struct Stage {
  FakeServer server;
  std::unique_ptr<PendingRequest> request = std::make_unique<PendingRequest>(server, server.delayed);
  std::optional<std::string> heard;

  void send(milliseconds retry_for = {}) {
    request->send(
        "m", "{}",
        [this](const lsp::Reply& reply) {
          heard = reply.failed ? std::to_string(reply.error.code) : std::string(reply.result);
          request.reset();  // as the owner may
        },
        retry_for);
  }
};

TEST_CASE("pending request: the reply ends it") {
  Stage stage;
  stage.send();
  CHECK(stage.request->is_out());
  stage.server.reply("1");
  CHECK(stage.heard == "1");
  CHECK(stage.server.cancelled.empty());
}

TEST_CASE("pending request: retried while the server is not ready, if that is wanted") {
  Stage stage;
  stage.send(milliseconds(60'000));
  stage.server.refuse(lsp::error_code::content_modified);
  CHECK(stage.request->is_out());
  CHECK(stage.server.sent.empty());
  stage.server.delayed.run();
  REQUIRE(stage.server.sent.size() == 1);
  CHECK(stage.server.sent[0].params == "{}");
  stage.server.reply("2");
  CHECK(stage.heard == "2");

  Stage impatient;
  impatient.send();
  impatient.server.refuse(lsp::error_code::content_modified);
  CHECK(impatient.heard == std::to_string(lsp::error_code::content_modified));
}

TEST_CASE("pending request: destroying it cancels the request or its retry") {
  Stage out;
  out.send();
  out.request.reset();
  CHECK(out.server.cancelled == std::vector<lsp::RequestNumber>{1});

  Stage waiting;
  waiting.send(milliseconds(60'000));
  waiting.server.refuse(lsp::error_code::server_cancelled);
  waiting.request.reset();
  CHECK(waiting.server.delayed.empty());
  waiting.server.delayed.run();
  CHECK(waiting.server.cancelled.empty());
  CHECK(waiting.server.sent.empty());
  CHECK_FALSE(waiting.heard);
}

}  // namespace
}  // namespace symbols::query
