// The ids of both directions: what the client waits for, and our own.
#include "proxy/session/request_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace symbols::session {
namespace {

using Strings = std::vector<std::string>;

struct Stage {
  Strings to_client;
  Strings to_server;
  int all_answered = 0;
  RequestQueue requests{"own-",
                        {.to_client = [this](std::string body) { to_client.push_back(std::move(body)); },
                         .to_server = [this](std::string body) { to_server.push_back(std::move(body)); },
                         .on_all_answered = [this] { ++all_answered; }}};
};

TEST_CASE("request queue: ids are bytes") {
  Stage stage;
  for (const char* const id : {"1", R"("1")", "9007199254740993", "9007199254740992", "null", "1"}) {
    stage.requests.add(id);
  }
  CHECK(stage.requests.waiting() == 5);
  stage.requests.answered("2");
  stage.requests.answered(R"("1")");
  stage.requests.answered("9007199254740992");
  CHECK(stage.all_answered == 0);
  Strings left = stage.requests.take_waiting();
  std::sort(left.begin(), left.end());
  CHECK(left == Strings{"1", "9007199254740993", "null"});
  CHECK(stage.requests.waiting() == 0);
  CHECK(stage.requests.take_waiting().empty());
}

TEST_CASE("request queue: bounded in number and length") {
  Stage stage;
  RequestQueue& requests = stage.requests;
  requests.add(std::string(RequestQueue::longest_id, '1'));
  requests.add(std::string(RequestQueue::longest_id + 1, '1'));
  CHECK(requests.waiting() == 1);
  for (std::size_t i = 0; i < RequestQueue::most_waiting + 10; ++i) requests.add(std::to_string(i));
  CHECK(requests.waiting() == RequestQueue::most_waiting);
  requests.answered("0");
  requests.add("new");
  CHECK(requests.waiting() == RequestQueue::most_waiting);
  requests.answered("new");
  CHECK(requests.waiting() == RequestQueue::most_waiting - 1);
}

TEST_CASE("request queue: the client has its answers, from us or from the server") {
  Stage stage;
  stage.requests.add("1");
  stage.requests.add("\"1\"");
  stage.requests.answer("1", {.failed = false, .json = "[]"});
  CHECK(stage.to_client == Strings{R"({"jsonrpc":"2.0","id":1,"result":[]})"});
  CHECK(stage.requests.waiting() == 1);
  CHECK(stage.all_answered == 0);
  stage.requests.answered("\"1\"");
  CHECK(stage.all_answered == 1);
  CHECK(stage.to_client.size() == 1);
}

TEST_CASE("request queue: a refusal ends nothing that is waited for") {
  Stage stage;
  stage.requests.add("1");
  stage.requests.refuse("2", -32602, "no");
  CHECK(stage.to_client == Strings{R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}})"});
  CHECK(stage.requests.waiting() == 1);
  CHECK(stage.all_answered == 0);
  CHECK(stage.requests.take_waiting() == Strings{"1"});
  CHECK(stage.requests.waiting() == 0);
}

TEST_CASE("request queue: our own ids are of no client") {
  Stage stage;
  const lsp::RequestNumber number = stage.requests.own().request("shutdown", {}, [](const lsp::Reply&) {});
  stage.requests.own().cancel(number);
  CHECK(stage.to_server.size() == 2);
  CHECK(stage.requests.own().is_own("\"own-1\""));
  CHECK_FALSE(stage.requests.own().is_own("1"));
  CHECK(stage.requests.waiting() == 0);
}

}  // namespace
}  // namespace symbols::session
