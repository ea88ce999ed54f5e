#include <doctest/doctest.h>

#include <string>

#include "table/hover/prose.h"
#include "tests/dice.h"
#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace {

TEST_CASE("first sentence") {
  struct Case {
    const char* prose;
    const char* sentence;
  };
  const Case cases[] = {
      {"", ""},
      {"  ", ""},
      {"No end", "No end"},
      {"One.", "One."},
      {" One. Two.", "One."},
      {"Really? Yes.", "Really?"},
      {"Stop! Now.", "Stop!"},
      {"Wait... Now.", "Wait..."},
      {"Cut off… Two.", "Cut off…"},
      {"He said \"no.\" Then he left.", "He said \"no.\""},
      {"(In brackets.) Two.", "(In brackets.)"},
      {"**Bold.** Two.", "**Bold.**"},
      {"Uses e.g. Foo or i.e. Bar. Two.", "Uses e.g. Foo or i.e. Bar."},
      {"Made in the U.S. By hand.", "Made in the U.S. By hand."},
      {"Ask Dr. No. Two.", "Ask Dr. No."},
      {"See no. 5 of them. Two.", "See no. 5 of them."},
      {"The answer is no. Then it ends.", "The answer is no."},
      {"Foos, bars, etc. are kept. Two.", "Foos, bars, etc. are kept."},
      {"Foos, bars, etc. All are kept.", "Foos, bars, etc."},
      {"Pi is 3.14. Two.", "Pi is 3.14."},
      {"See foo.bar and Foo.Bar(). Two.", "See foo.bar and Foo.Bar()."},
      {"Since version 1.2. Deprecated.", "Since version 1.2."},
      {"1. First. 2. Second.", "1. First."},
      {"Of type T. Two.", "Of type T."},
      {"Use `a. B` here. Two.", "Use `a. B` here."},
      {"One ` only. Two.", "One ` only."},
      {"Is it? no, it goes on. Two.", "Is it? no, it goes on."},
      {"Calculates the area @param width The width.", "Calculates the area"},
      {"Mail a@b.c now. Two.", "Mail a@b.c now."},
      {"@deprecated use Foo. Two.", "@deprecated use Foo."},
      {"面積を計算する。二番目。", "面積を計算する。"},
      {"本当？はい。", "本当？"},
      {"Größe. Zwei.", "Größe."},
      {"One. Éa.", "One."},
      {"One.  ", "One."},
      {".", "."},
      {". . .", "."},
  };
  for (const Case& c : cases) {
    CAPTURE(c.prose);
    CHECK(first_sentence(c.prose) == c.sentence);
    CHECK(first_sentence(c.sentence) == c.sentence);
  }
}

TEST_CASE("first sentence: that of a first sentence is itself, whatever the text") {
  const char* pieces[] = {"e.g", ".",  "!", "?",  "…", " ",   "  ", "a", "B",    "I",
                          "1",   "no", "`", "\"", ")", " @p", "。", "’", "\xff", "\xe2"};
  Dice dice(21);
  for (int i = 0; i < 20000; ++i) {
    std::string prose;
    for (std::size_t count = dice.below(12); count > 0; --count) {
      prose += dice.one_in(8) ? hostile_text(dice) : std::string(dice.pick(pieces));
    }
    CAPTURE(prose);
    const std::string first(first_sentence(prose));
    REQUIRE(prose.find(first) != std::string::npos);
    REQUIRE(first_sentence(first) == first);
  }
}

}  // namespace
}  // namespace symbols::table
