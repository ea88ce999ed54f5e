// The estimate against what the tokenizer itself counts. `real` is the number of tokens that
// gpt-tokenizer 4.0.0 gives with o200k_base.
#include "table/token_estimate.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/table/captures.h"
#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace {

using namespace std::string_literals;

double off_by(std::string_view text, std::size_t real) {
  return std::abs(static_cast<double>(estimate_tokens(text)) - static_cast<double>(real));
}

TEST_CASE("token estimate: short texts of ours, within a twelfth and one token") {
  struct Case {
    std::string_view text;
    std::size_t real;
  };
  const Case cases[] = {
      {"", 0},
      {"a", 1},
      {"countLines", 2},
      {"presentAssistantMessage f79:0-742:1@22", 13},
      {" countLines f24:8-28:3", 10},
      {"NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL", 18},
      {"DEBUG_RACE | 14 | 52:6-61 | 52:6-16 |  | const DEBUG_RACE: boolean | <<<", 31},
      {"countLines | 12 | 24:8-28:3 | 24:8-18 | presentAssistantMessage | const countLines: (symbols: "
       "DocumentSymbol[]) => number | <<<",
       40},
      {"function calculateArea(width: number, height: number): number - Calculates the area of a rectangle "
       "@param width The width of the rectangle",
       27},
      {"[L80] (f+2) presentAssistantMessage\n  async function presentAssistantMessage(params: "
       "PresentAssistantMessageParams): Promise<void>\n  [L25] (f) countLines\n    const countLines: "
       "(symbols: "
       "DocumentSymbol[]) => number\n",
       53},
      {R"({"name":"countLines","kind":12,"range":{"start":{"line":24,"character":8},"end":{"line":28,"character":3}},"children":[]})",
       36},
      {R"({"v":"2.0","strings":["a","b"],"symbols":[[0,12,24,8,28,3,24,8,24,18,-1,1]]})", 42},
      {"# truncated: 3500 -> 998 tokens; dropped: hover, levels>2, 37 rows", 22},
      {"It doesn't do what the reader's eye would expect, and they've said so; we'll see.", 19},
      {"template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>\n"
       "constexpr T* HTTPServerFactory::make_unique(const T& value) noexcept;",
       40},
      {"    \t\n\n      x\r\n", 5},
      {"1234567890 12 3", 8},
      {"--------------------------------\n", 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(estimate_tokens(c.text));
    CHECK(off_by(c.text, c.real) <= 1 + static_cast<double>(c.real) / 12);
  }
}

TEST_CASE("token estimate: single sentences in other scripts, within half") {
  struct Case {
    std::string_view text;
    std::size_t real;
  };
  const Case cases[] = {
      {"返回请求成功的响应数据，否则抛出错误。", 12},
      {"指定されたファイルを読み込み、内容を返します。", 13},
      {"파일을 읽고 내용을 반환합니다.", 8},
      {"Возвращает количество элементов в списке.", 9},
      {"Gibt die Anzahl der Elemente zurück, die größer als null sind.", 14},
      {"✅ fixed ∀x ∈ ℝ → done", 11},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(estimate_tokens(c.text));
    CHECK(off_by(c.text, c.real) <= static_cast<double>(c.real) / 2);
  }
}

TEST_CASE("token estimate: digits, up to three a token or each by itself") {
  struct Case {
    std::string_view text;
    std::size_t o200k;
    std::size_t digits;
  };
  const Case cases[] = {
      {"1", 1, 1}, {"123", 1, 3}, {"1234567890", 4, 10}, {"x 12 345", 5, 8}, {"countLines", 2, 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(estimate_tokens(c.text) == c.o200k);
    CHECK(estimate_tokens(c.text, Tokenizer::digits) == c.digits);
  }
}

TEST_CASE("token estimate: recorded replies, hovers and tables") {
  struct Case {
    const char* file;
    std::size_t real;
  };
  struct Kind {
    const char* what;
    double tolerance;  // the largest relative error
    std::vector<Case> cases;
  };
  const Kind kinds[] = {
      {"tables and flattened hovers",
       0.02,
       {
           {"tables/clangd19/nlohmann__json.hpp.golden.txt", 8686},
           {"tables/gopls/strings__builder.go.golden.txt", 1120},
           {"tables/ts7/internal__types.ts.golden.txt", 1942},
           {"tables/tsls/internal__Observable.ts.golden.txt", 3154},
           {"hover_text/clangd19.fmt__core.h.golden.txt", 1432},
           {"hover_text/clangd19.rapidjson__document.h.golden.txt", 1400},
           {"hover_text/gopls.strings__builder.go.golden.txt", 498},
           {"hover_text/pyright.python3.11__typing.py.golden.txt", 1076},
           {"hover_text/ts7.internal__Observable.ts.golden.txt", 2021},
           {"hover_text/ts7.src__Option.ts.golden.txt", 1502},
           {"hover_text/tsls.core__util.ts.golden.txt", 1031},
       }},
      {"documentSymbol replies",
       0.035,
       {
           {"captures/clangd19/fmt__core.h.symbols.json", 51383},
           {"captures/gopls/strings__builder.go.symbols.json", 983},
           {"captures/pyright/python3.11__typing.py.symbols.json", 49933},
           {"captures/ts7/v3__types.ts.symbols.json", 124284},
           {"captures/ts7/src__Option.ts.symbols.json", 10653},
           {"captures/tsls/internal__Observable.ts.symbols.json", 3106},
           {"captures/tsls/lib__lib.dom.d.ts.symbols.json", 734489},
       }},
      {"hover replies",
       0.05,
       {
           {"captures/clangd19/rapidjson__document.h.hovers.json", 64867},
           {"captures/gopls/types__expr.go.hovers.json", 3695},
           {"captures/pyright/python3.11__dataclasses.py.hovers.json", 16596},
           {"captures/ts7/internal__Observable.ts.hovers.json", 7437},
           {"captures/tsls/core__util.ts.hovers.json", 23927},
       }},
  };
  for (const Kind& kind : kinds) {
    CAPTURE(kind.what);
    for (const Case& c : kind.cases) {
      CAPTURE(c.file);
      const std::string text = read_file(std::filesystem::path(FIXTURES_DIR) / c.file);
      CAPTURE(estimate_tokens(text));
      CHECK(off_by(text, c.real) <= kind.tolerance * static_cast<double>(c.real));
    }
  }
}

TEST_CASE("token estimate: pieces that the tokenizer never joins add up") {
  // Exactly, as each side of the cut ends and begins where a piece does.
  const std::string_view cuts[][2] = {
      {"count", "Lines"}, {"a", "1"}, {"1", "a"}, {"123", "456"}, {"word", " word"}, {"f", "("}, {"x\n", "y"},
  };
  for (const auto& [before, after] : cuts) {
    CAPTURE(before);
    CAPTURE(after);
    CHECK(estimate_tokens(std::string(before) + std::string(after)) ==
          estimate_tokens(before) + estimate_tokens(after));
  }
}

TEST_CASE("token estimate: any bytes, never zero for a text, never more than three a byte") {
  Dice dice(5);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    if (dice.one_in(2)) {
      text = hostile_text(dice);
    } else {
      const std::size_t size = dice.below(40);
      for (std::size_t j = 0; j < size; ++j) text += static_cast<char>(dice.below(256));
    }
    CAPTURE(text);
    const std::size_t tokens = estimate_tokens(text);
    REQUIRE((tokens == 0) == text.empty());
    REQUIRE(tokens <= 3 * text.size());
  }
}

TEST_CASE("token estimate: time is linear in the text, whatever it is made of") {
  const std::string pieces[] = {"a",    "A", "aB", "1", " ",    "\n",  "\t", "|",     "'s",
                                " |\n", "é", "漢", "😀", "\xFF", "\\|", "_a", "\r\n ", "//\n"};
  for (const std::string& piece : pieces) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < (std::size_t{2} << 20)) text += piece;
    const auto start = std::chrono::steady_clock::now();
    const std::size_t tokens = estimate_tokens(text);
    const auto took = std::chrono::steady_clock::now() - start;
    CHECK(tokens > 0);
    CHECK(took < std::chrono::seconds(2));  // a few milliseconds, and more under sanitizers
  }
}

}  // namespace
}  // namespace symbols::table
