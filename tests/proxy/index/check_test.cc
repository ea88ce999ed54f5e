// Which diagnostics of a changed text are new.
#include "proxy/index/check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/text.h"

namespace symbols::index {
namespace check_test {

// A line of the text for each part of `lines`, with the messages behind its blank, `a !x !y`: errors; `?x`: a
// warning, `.x`: a hint.
std::vector<lsp::Diagnostic> diagnostics_in(std::string_view lines, std::string& text) {
  std::vector<lsp::Diagnostic> all;
  for (std::uint32_t line = 0; !lines.empty(); ++line) {
    std::string_view words = take_part(lines, '|');
    text += std::string(take_part(words, ' ')) + '\n';
    while (!words.empty()) {
      const std::string_view word = take_part(words, ' ');
      lsp::Diagnostic& one = all.emplace_back();
      one.range = {{line, 0}, {line, 1}};
      one.severity = word.front() == '!' ? 1 : word.front() == '?' ? 2 : 4;
      one.message = word.substr(1);
    }
  }
  return all;
}

TEST_CASE("new are errors and warnings that were not in the same line, or between the same lines") {
  const struct {
    std::string_view before, after, expected;
  } cases[] = {
      {"a|b", "a|b", ""},
      {"a|b", "a !x|b", "0:x"},
      {"a !x|b", "a !x|b", ""},
      {"a !x|b", "n|n|a !x|b", ""},     // moved
      {"a !x|b|c", "a|b !x|c", "1:x"},  // to another line
      {"a !x|b", "a ?x|b", "0:x"},      // an error that became a warning
      {"a|b", "a .x|b", ""},            // a hint
      {"a|b !x|c", "a|d !x|c", ""},     // in lines that differ
      {"a|b !x|c", "a|d|e !x|c", ""},   // in more of them
      {"a|b !x|c", "a|d !x|e !x|c", "2:x"},
      {"a|b !x|c", "a|d !y|c", "1:y"},
      {"a|b !x|c", "a|c !x", "1:x"},  // the line is gone
      {"a !x !x|b", "a !x !x !x|b", "0:x"},
      {"a|b", "a|b !m.go:4:2:other", "1:m.go:4:2:other"},
      {"a !m.go:4:2:other|b", "n|a !m.go:5:2:other|b", ""},  // a message moves with what it names
  };
  for (const auto& one : cases) {
    std::string old_text;
    std::string new_text;
    const std::vector<lsp::Diagnostic> before = diagnostics_in(one.before, old_text);
    std::vector<lsp::Diagnostic> after = diagnostics_in(one.after, new_text);
    std::string found;
    for (const lsp::Diagnostic& diagnostic : new_diagnostics(before, old_text, std::move(after), new_text))
      found +=
          fmt::format("{}{}:{}", found.empty() ? "" : " ", diagnostic.range.start.line, diagnostic.message);
    CHECK_MESSAGE(found == one.expected, one.before, " -> ", one.after);
  }
}

TEST_CASE("with thousands of lines that differ they count as one place") {
  std::string old_text;
  std::string new_text;
  for (int i = 0; i < 3000; ++i) {
    old_text += fmt::format("old{}\n", i);
    new_text += fmt::format("new{}\n", i);
  }
  lsp::Diagnostic error;
  error.range.start.line = 7;
  lsp::Diagnostic moved = error;
  moved.range.start.line = 2000;
  CHECK(new_diagnostics({error}, old_text, {moved}, new_text).empty());
  CHECK(new_diagnostics({error}, old_text, {error, moved}, new_text).size() == 1);
}

}  // namespace check_test
}  // namespace symbols::index
