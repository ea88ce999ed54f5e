#include "proxy/setup/line_diff.h"

#include <doctest/doctest.h>

#include <charconv>

#include "tests/dice.h"

namespace symbols::setup {
namespace {

TEST_CASE("the unified diff of two texts") {
  CHECK(line_diff("f", "a\n", "a\n").empty());
  CHECK(line_diff("f", "", "a\n") == "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
  CHECK(line_diff("f", "a\n", "") == "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n");
  CHECK(line_diff("f", "a", "a\n") == "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  CHECK(line_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n") ==
        "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

// The text that a diff makes of `before`, as patch would.
std::string patched(std::string_view before, std::string_view diff) {
  std::string out;
  std::size_t line = 1;
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
  };
  take_line(diff);
  take_line(diff);
  while (!diff.empty()) {
    const std::string_view step = take_line(diff);
    if (step.starts_with("@@ -")) {
      std::size_t first = 0;
      const char* const end = std::from_chars(step.data() + 4, step.data() + step.size(), first).ptr;
      if (std::string_view(end, 2) == ",0") ++first;
      for (; line < first; ++line) out += take_line(before);
      continue;
    }
    const bool lacks_newline = diff.starts_with("\\");
    if (lacks_newline) take_line(diff);
    const std::string_view text = step.substr(1, step.size() - (lacks_newline ? 2 : 1));
    if (step.front() != '+') {
      CHECK(take_line(before) == text);
      ++line;
    }
    if (step.front() != '-') out += text;
  }
  return out + std::string(before);
}

TEST_CASE("a diff makes the one text of the other") {
  Dice dice(7);
  for (int round = 0; round < 2000; ++round) {
    std::string before, after;
    for (std::size_t i = dice.below(40); i > 0; --i) {
      const std::string line = std::to_string(dice.below(6)) + "\n";
      const auto fate = dice.below(8);
      if (fate != 0) before += line;
      if (fate != 1) after += line;
    }
    if (!before.empty() && dice.below(3) == 0) before.pop_back();
    if (!after.empty() && dice.below(3) == 0) after.pop_back();
    CAPTURE(before);
    CAPTURE(after);
    const std::string diff = line_diff("f", before, after);
    CHECK((diff.empty() ? before : patched(before, diff)) == after);
  }
}

TEST_CASE("texts too long to compare line by line are still told apart") {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) before += std::to_string(i) + "\n";
  for (int i = 3000; i > 0; --i) after += std::to_string(i) + "\n";
  CHECK(patched(before, line_diff("f", before, after)) == after);
}

}  // namespace
}  // namespace symbols::setup
