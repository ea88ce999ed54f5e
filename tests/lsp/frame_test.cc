#include "lsp/frame.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace frame_test {
using symbols::Result;
using symbols::lsp::FrameReader;

// The contents of a stream: its bodies, then perhaps an error.
struct Outcome {
  std::vector<std::string> bodies;
  std::string error;
};

constexpr std::uint64_t max_body = std::uint64_t{1} << 30;

// Reads `stream` in portions of `portion` bytes.
Outcome read_all(std::string_view stream, std::size_t portion) {
  FrameReader reader(max_body);
  Outcome outcome;
  while (!stream.empty()) {
    std::string_view input = stream.substr(0, portion);
    stream.remove_prefix(input.size());
    for (;;) {
      const Result<std::optional<std::string_view>> body = reader.next(input);
      if (!body) {
        outcome.error = body.error().message;
        return outcome;
      }
      if (!*body) break;
      outcome.bodies.emplace_back(**body);
    }
    CHECK(input.empty());
  }
  return outcome;
}

TEST_CASE("frames are read however their headers are written and the stream is cut") {
  struct Case {
    const char* name;
    std::string stream;
    std::vector<std::string> bodies;
  };
  const Case cases[] = {
      {"plain", "Content-Length: 2\r\n\r\n{}", {"{}"}},
      {"upper case, whitespace", "CONTENT-LENGTH:  \t2 \r\n\r\n{}", {"{}"}},
      {"Content-Type before",
       "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
       {"{}"}},
      {"Content-Type after", "Content-Length: 2\r\nContent-Type: x\r\n\r\n{}", {"{}"}},
      {"line feeds alone", "Content-Length: 2\n\n{}", {"{}"}},
      {"the same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", {"{}"}},
      {"empty body", "Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", {"", "{}"}},
      {"several",
       "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\n[{}]Content-Length: 2\r\n\r\n[]",
       {"{}", "[{}]", "[]"}},
      {"a body that looks like a header",
       "Content-Length: 21\r\n\r\nContent-Length: 2\r\n\r\nContent-Length: 2\r\n\r\n{}",
       {"Content-Length: 2\r\n\r\n", "{}"}},
      {"UTF-8 counts in bytes", "Content-Length: 4\r\n\r\n\"é\"", {"\"é\""}},
      {"leading zeros", "Content-Length: 0002\r\n\r\n{}", {"{}"}},
  };
  for (const Case& c : cases) {
    for (std::size_t portion = 1; portion <= c.stream.size(); ++portion) {
      CAPTURE(c.name);
      CAPTURE(portion);
      const Outcome outcome = read_all(c.stream + symbols::lsp::frame("é"), portion);
      CHECK(outcome.error == "");
      std::vector<std::string> bodies = c.bodies;
      bodies.emplace_back("é");
      CHECK(outcome.bodies == bodies);
    }
  }
}

TEST_CASE("a stream that is not LSP is an error that quotes it") {
  struct Case {
    const char* name;
    std::string stream;
    const char* error;
  };
  const Case cases[] = {
      {"no number", "Content-Length: ten\r\n\r\n", "Content-Length is not a number: 'ten'"},
      {"empty", "Content-Length:\r\n\r\n", "Content-Length is not a number: ''"},
      {"trailing text", "Content-Length: 2;\r\n\r\n", "Content-Length is not a number: '2;'"},
      {"absurd", "Content-Length: 99999999999\r\n\r\n",
       "Content-Length '99999999999' is over the limit of 1073741824 bytes"},
      {"over 64 bits", "Content-Length: 99999999999999999999999\r\n\r\n",
       "Content-Length '99999999999999999999999' is over the limit of 1073741824 bytes"},
      {"two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
       "two Content-Length headers that differ: 2 and 3"},
      {"none", "Content-Type: x\r\n\r\n", "a header without Content-Length"},
      {"prose", "Starting server...\nContent-Length: 2\r\n\r\n{}",
       "not a header of the Language Server Protocol: 'Starting server...'"},
      {"control characters", "\x1B[31mboo\n", "not a header of the Language Server Protocol: '\\x1B[31mboo'"},
      {"a blank line first", "\r\nContent-Length: 2\r\n\r\n{}", "a header without Content-Length"},
      {"the edges of what is printed", "\x1F\x20~\x7F\n",
       "not a header of the Language Server Protocol: '\\x1F ~\\x7F'"},
      {"a long line", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
       "not a header of the Language Server Protocol: "
       "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"},
      {"JSON without a header", "{\"jsonrpc\":\"2.0\"}\n\n", "a header without Content-Length"},
  };
  for (const Case& c : cases) {
    for (const std::size_t portion : {std::size_t{1}, std::size_t{7}, c.stream.size()}) {
      CAPTURE(c.name);
      CAPTURE(portion);
      CHECK(read_all(c.stream, portion).error == c.error);
    }
  }
}

TEST_CASE("a header without an end is refused, not kept for ever") {
  const std::string endless = "X: " + std::string(1 << 20, 'a');
  for (const std::size_t portion : {std::size_t{1}, std::size_t{4096}, endless.size()}) {
    CHECK(read_all(endless, portion).error.starts_with("a header of over 8192 bytes: 'X: aaaa"));
  }
}

TEST_CASE("a frame is in the input, or in memory of the reader, which can be filled directly") {
  FrameReader reader(max_body);
  const std::string stream = symbols::lsp::frame("{}") + symbols::lsp::frame(std::string(100, 'x'));
  std::string_view input = std::string_view(stream).substr(0, stream.size() - 90);
  CHECK(reader.room().empty());
  CHECK(**reader.next(input) == "{}");
  CHECK(reader.frame().data() == stream.data());
  CHECK_FALSE(reader.keeps_frame());
  CHECK(reader.unfinished().empty());
  CHECK(reader.next(input)->has_value() == false);
  CHECK(reader.unfinished().ends_with("\n" + std::string(10, 'x')));
  CHECK(reader.has_header());
  std::size_t left = 90;
  while (left > 0) {
    const std::span<char> room = reader.room();
    REQUIRE_FALSE(room.empty());
    REQUIRE(room.size() <= left);
    room[0] = 'x';
    reader.added(1);
    CHECK(reader.next(input)->has_value() == (--left == 0));
  }
  CHECK(reader.keeps_frame());
  CHECK(reader.frame() == symbols::lsp::frame(std::string(100, 'x')));
  CHECK(reader.room().empty());
  input = "Conten";
  CHECK(reader.next(input)->has_value() == false);
  CHECK(reader.unfinished() == "Conten");
  CHECK_FALSE(reader.has_header());
}

}  // namespace frame_test
