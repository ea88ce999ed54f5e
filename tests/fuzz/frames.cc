// Frames (lsp/frame.h): the same stream gives the same messages in whatever portions it arrives.
// Covers: lsp/frame.cc lsp/frame.h
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/frame.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::frames_target {

// What a stream said: its messages, and how it ended.
struct Said {
  std::vector<std::string> bodies;
  std::string error;

  bool operator==(const Said&) const = default;
};

// Reads `stream` in portions of the sizes that `next_size` gives.
template <class NextSize>
Said read(std::string_view stream, std::uint64_t max_body, NextSize next_size) {
  Said said;
  lsp::FrameReader reader(max_body);
  while (!stream.empty()) {
    // In memory of its own, so that a view kept too long is seen.
    const std::string portion(stream.substr(0, std::max<std::size_t>(1, next_size())));
    stream.remove_prefix(portion.size());
    std::string_view left = portion;
    for (;;) {
      const Result<std::optional<std::string_view>> body = reader.next(left);
      if (!body) {
        said.error = body.error().text();
        holds(!reader.next(left).has_value(), "a stream that cannot be read stays so");
        return said;
      }
      if (!*body) break;
      said.bodies.emplace_back(**body);
      holds(reader.frame().ends_with(**body), "a frame ends in its body");
    }
    holds(left.empty(), "what is no whole body is used up");
  }
  return said;
}

void frames(std::string_view data) {
  Input input(data);
  // A small limit now and then: near it is where mistakes are.
  const std::uint64_t max_body = input.flag() ? 1U << 20U : 64U;
  const std::size_t portion = input.below(256);
  const std::string_view stream = input.rest();

  const Said whole = read(stream, max_body, [&] { return stream.size(); });
  // A long stream byte by byte takes long, and says what its beginning says.
  const std::size_t slow = stream.size() > 1000 ? 50 : 1;
  const Said by_byte = read(stream, max_body, [slow] { return slow; });
  std::size_t turn = portion;
  const Said by_portion = read(stream, max_body, [&] { return turn = turn * 31 % 61; });
  // A header that is refused before its end shows less of itself in the message.
  holds(whole.bodies == by_byte.bodies, "byte by byte gives the same messages");
  holds(whole.bodies == by_portion.bodies, "portions give the same messages");
  holds(whole.error.empty() == by_byte.error.empty(), "byte by byte ends the same way");
  holds(whole.error.empty() == by_portion.error.empty(), "portions end the same way");

  std::string written;
  for (const std::string& body : whole.bodies) written += lsp::frame(body);
  const Said again = read(written, max_body, [&] { return written.size(); });
  holds(again.bodies == whole.bodies && again.error.empty(), "frames that are written are read back");
}

const Registration registration("frames", frames);

}  // namespace symbols::fuzz::frames_target
