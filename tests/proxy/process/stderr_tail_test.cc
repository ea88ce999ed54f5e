// What is kept of a server's standard error, and how it is quoted.
#include "proxy/process/stderr_tail.h"

#include <doctest/doctest.h>

namespace symbols::process {
namespace {

std::string tail_of(std::string_view text) {
  StderrTail tail;
  tail.add(text);
  return tail.text();
}

TEST_CASE("stderr tail: the last three lines that are not blank, without the whitespace around them") {
  CHECK(tail_of("").empty());
  CHECK(tail_of(" \n\t\r\n").empty());
  CHECK(tail_of("one\n") == "one");
  CHECK(tail_of("one\n\n  two \r\n \nthree\nfour") == "two / three / four");
}

TEST_CASE("stderr tail: of a long line the first 300 bytes that are not indentation") {
  CHECK(tail_of(std::string(1000, 'x')) == std::string(300, 'x'));
  CHECK(tail_of("before\n" + std::string(400, ' ') + "words\n") == "before / words");
  CHECK(tail_of("x" + std::string(400, ' ') + "y") == "x");
}

TEST_CASE("stderr tail: no more than the last 4 KiB are kept, however they come") {
  StderrTail tail;
  for (int i = 0; i < 10'000; ++i) tail.add("a");
  tail.add("\n");
  CHECK(tail.text() == std::string(300, 'a'));
  tail.add(std::string(5000, '\n'));
  CHECK(tail.text().empty());
}

}  // namespace
}  // namespace symbols::process
