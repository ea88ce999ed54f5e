#include "table/symbol_kind.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace symbols::table {
namespace {

std::string kind_text(std::int64_t kind, bool names) {
  std::string out;
  append_kind(out, kind, names);
  return out;
}

TEST_CASE("kind letters: written and read back, whatever follows") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  struct Case {
    std::int64_t kind;
    std::string letter;
    std::string word;
  };
  std::vector<Case> cases{{5, "c", "Class"},
                          {12, "f", "Function"},
                          {14, "k", "Constant"},
                          {255, "<255>", "<255>"},
                          {0, "<0>", "<0>"},
                          {-1, "<-1>", "<-1>"},
                          {least, "<-9223372036854775808>", "<-9223372036854775808>"},
                          {most, "<9223372036854775807>", "<9223372036854775807>"}};
  for (std::int64_t kind = 1; kind <= 26; ++kind) {
    cases.push_back({kind, kind_text(kind, false), kind_name(kind)});
  }
  std::set<std::string> letters;
  for (const Case& c : cases) letters.insert(c.letter);
  CHECK(letters.size() == 26 + 5);
  for (const Case& c : cases) {
    CAPTURE(c.kind);
    CHECK(kind_text(c.kind, false) == c.letter);
    CHECK(kind_text(c.kind, true) == c.word);
    for (const std::string& text : {c.letter, c.word}) {
      for (const char* const after : {"", "24:8-28:3", "@", " x", ">"}) {
        const std::optional<ReadKind> read = read_kind(text + after);
        REQUIRE(read.has_value());
        CHECK(read->kind == c.kind);
        CHECK(read->length == text.size());
      }
    }
  }
}

TEST_CASE("kind letters: what is no kind") {
  for (const char* const text :
       {"", "x", "12", "function", "Functions", "ff", "<", "<>", "<a>", "<255", "<2 55>", "< 255>", "<+1>",
        "<9223372036854775808>", "?", " f", "é", "\xff"}) {
    CAPTURE(text);
    CHECK_FALSE(read_kind(text).has_value());
  }
}

}  // namespace
}  // namespace symbols::table
