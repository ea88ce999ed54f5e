#include "proxy/daemon/warm_connection.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::daemon {
namespace warm_connection_test {

TEST_CASE("warm request: the payload is whole where the size before it says so") {
  CHECK(payload_of(frame_of("payload")) == "payload");
  CHECK(payload_of(frame_of("")) == "");
  for (const char* part : {"", "7", "7\n", "7\npayloa", "7\npayload more", "x\npayload", "-1\n"}) {
    CAPTURE(part);
    CHECK_FALSE(payload_of(part).has_value());
  }
}

TEST_CASE("warm request: a request reads back, and what is none is refused") {
  const Request request{.wanted = Wanted::list,
                        .folder = "/a b",
                        .console = {.is_terminal = true, .colour = false, .width = 80},
                        .message_colour = true,
                        .shows_progress = true,
                        .arguments = {"--format", "", "x\ny"}};
  const auto back = read_request(write_request(request));
  REQUIRE(back.has_value());
  CHECK(back->wanted == Wanted::list);
  CHECK(back->folder == request.folder);
  CHECK(back->console.is_terminal);
  CHECK_FALSE(back->console.colour);
  CHECK(back->message_colour);
  CHECK(back->shows_progress);
  CHECK(back->console.width == 80);
  CHECK(back->arguments == request.arguments);

  using namespace std::string_literals;
  for (const std::string& wrong : {""s, "/a"s, "/a\0"s, "/a\0r----\0"s, "a\0r----\0001\0"s,
                                   "/a\0r---\0001\0"s, "/a\0r----\0x\0"s, "/a\0r----\0001\0x"s}) {
    CHECK_FALSE(read_request(wrong).has_value());
  }
}

}  // namespace warm_connection_test
}  // namespace symbols::daemon
