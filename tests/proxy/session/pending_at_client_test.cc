#include "proxy/session/pending_at_client.h"

#include <doctest/doctest.h>

#include <string>

using namespace symbols::session;

TEST_CASE("pending at client: no more are followed than the limit allows, nor longer ids") {
  PendingAtClient pending("own-");
  for (std::size_t i = 0; i < PendingAtClient::most; ++i) pending.asked(std::to_string(i), "{}", true);
  pending.asked("\"one more\"", "{}", true);
  pending.server_lost();
  CHECK_FALSE(pending.answered("\"one more\"", "{}"));
  CHECK(pending.answered("0", "{}") == "");
  const std::string longest = '"' + std::string(254, 'x') + '"';
  const std::string too_long = '"' + std::string(255, 'x') + '"';
  pending.asked(longest, "{}", true);
  pending.asked(too_long, "{}", true);
  pending.server_lost();
  CHECK(pending.answered(longest, "{}") == "");
  CHECK_FALSE(pending.answered(too_long, "{}"));
}

TEST_CASE("pending at client: what is owed to servers that died is bounded too") {
  PendingAtClient pending("own-");
  for (int server = 0; server < 3; ++server) {
    for (std::size_t i = 0; i < PendingAtClient::most; ++i) {
      pending.asked(std::to_string(server) + '0' + std::to_string(i), "{}", true);
    }
    pending.server_lost();
  }
  std::size_t swallowed = 0;
  for (int server = 0; server < 3; ++server) {
    for (std::size_t i = 0; i < PendingAtClient::most; ++i) {
      const std::string id = std::to_string(server) + '0' + std::to_string(i);
      if (pending.answered(id, "{}") == "") ++swallowed;
    }
  }
  CHECK(swallowed == PendingAtClient::most);
}

TEST_CASE("pending at client: the server waits while one of its questions is open, and each counts once") {
  PendingAtClient pending("own-");
  pending.asked("1", "{}", false);
  CHECK_FALSE(pending.server_waits());
  pending.asked("1", "{}", true);  // the same id again
  pending.asked("1", "{}", true);
  pending.asked("2", "{}", true);
  pending.answered("2", "{}");
  CHECK(pending.server_waits());
  pending.answered("1", "{}");
  CHECK_FALSE(pending.server_waits());
  pending.asked("3", "{}", true);
  pending.server_lost();
  CHECK_FALSE(pending.server_waits());
  CHECK(pending.asked("3", R"({"id":3})", true) == R"({"id":"own-client-1"})");
  CHECK(pending.server_waits());
  pending.answered("3", "{}");  // for the server that is gone
  CHECK(pending.server_waits());
  pending.answered("\"own-client-1\"", R"({"id":"own-client-1"})");
  CHECK_FALSE(pending.server_waits());
}

TEST_CASE(
    "pending at client: an answer to a request of ours never reaches the server, however often it comes") {
  PendingAtClient pending("own-");
  pending.asked("3", "{}", true);
  pending.server_lost();
  CHECK(pending.own_request() == R"("own-client-1")");
  CHECK(pending.asked("3", R"({"id":3})", true) == R"({"id":"own-client-2"})");
  for (int time = 0; time < 2; ++time) {
    CHECK(pending.answered(R"("own-client-1")", "{}") == "");
    CHECK(pending.answered(R"("own-client-2")", R"({"id":"own-client-2"})") ==
          (time == 0 ? R"({"id":3})" : ""));
  }
  CHECK_FALSE(pending.answered(R"("own-1")", "{}"));  // of the server's
}
