#include "proxy/warm/warm_message.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::warm {
namespace {

TEST_CASE("warm message: frames are taken apart wherever they are cut") {
  const std::string bytes = frame_of(Say::output, "rows\n") + frame_of(Say::alive, {}) +
                            frame_of(Say::end, "0") + frame_of(Say::output, std::string(100'000, 'x'));
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{7}, bytes.size()}) {
    MessageReader reader(1 << 20);
    std::string seen;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      reader.add(std::string_view(bytes).substr(at, step));
      while (const auto message = reader.next()) {
        seen += static_cast<char>(message->say) + std::to_string(message->payload.size()) + ' ';
      }
    }
    CHECK(seen == "o5 a0 x1 o100000 ");
  }
}

TEST_CASE("warm message: one that is too large is told before its bytes are kept") {
  MessageReader reader(10);
  reader.add(frame_of(Say::run, "12345678901"));
  CHECK_FALSE(reader.next().has_value());
  CHECK(reader.too_large());
  reader.add(frame_of(Say::run, ""));
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("warm message: a request reads back, and what is none is refused") {
  const Request request{.folder = "/a b",
                        .output_is_terminal = true,
                        .output_colour = false,
                        .shows_progress = true,
                        .width = 80,
                        .arguments = {"--format", "", "x\ny"}};
  const auto back = read_request(write_request(request));
  REQUIRE(back.has_value());
  CHECK(back->folder == request.folder);
  CHECK(back->output_is_terminal);
  CHECK_FALSE(back->output_colour);
  CHECK(back->shows_progress);
  CHECK(back->width == 80);
  CHECK(back->arguments == request.arguments);

  using namespace std::string_literals;
  for (const std::string& wrong : {""s, "/a"s, "/a\0"s, "/a\0---\0"s, "a\0---\0001\0"s, "/a\0--\0001\0"s,
                                   "/a\0---\0x\0"s, "/a\0---\0001\0x"s}) {
    CHECK_FALSE(read_request(wrong).has_value());
  }
}

}  // namespace
}  // namespace symbols::warm
