// The estimate against what the tokenizer itself counts. `real` is the number of tokens that
// gpt-tokenizer 4.0.0 gives with o200k_base.
#include "table/token_estimate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/growth.h"
#include "tests/table/captures.h"
#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace token_estimate_test {

using namespace std::string_literals;

double off_by(std::string_view text, std::size_t real) {
  return std::abs(static_cast<double>(estimate_tokens(text)) - static_cast<double>(real));
}

TEST_CASE("token estimate: words that no vocabulary has, runs of marks, other scripts, emoji") {
  struct Case {
    std::string_view text;
    std::size_t real;
    double tolerance;
  };
  const double code = 0.15;
  const double prose = 0.62;  // of a single sentence
  const Case cases[] = {
      {"EPOLLRDHUP", 5, 0.4},
      {"EPOLLIN EPOLLOUT EPOLLRDHUP EPOLLPRI EPOLLERR EPOLLHUP EPOLLET EPOLLONESHOT", 30, 0.4},
      {"SIGHUP SIGQUIT SIGTRAP SIGSTKFLT SIGTSTP SIGTTOU SIGXCPU SIGXFSZ SIGVTALRM", 31, code},
      {"struct bpf_prog_attr *attr, __u32 prog_fd, u64 btf_vmlinux_id, bpf_func_fn *cb_ctx", 30, code},
      {"vfprintf vsnprintf strncmp strtok wcsncpy mbsrtowcs pthread_rwlockattr_getpshared", 23, code},
      {"func Splice(rfd int, roff *int64, wfd int, woff *int64, len int, flags int) (n int64, err error)", 37,
       code},
      {"#define BPF_F_ANY_ALIGNMENT (1U << 1)\n#define BPF_PSEUDO_MAP_FD 1\n#define BPF_MAX_TRAMP_LINKS 38\n",
       36, code},
      {"0x7fffffff 0xDEADBEEF 0x1b873593 0xcc9e2d51 0xe6546b64 0x85ebca6b", 41, code},
      {"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43, code},
      {"__attribute__((__always_inline__)) static __inline__ __m256i _mm256_cvtepu8_epi16(__m128i __V)", 31,
       code},
      {"hi guifg=#ffd7af guibg=#262626 ctermfg=223 ctermbg=235 gui=NONE cterm=bold", 32, code},
      {"});\n\n    it(\"x\", async () => {\n      expect(y).toEqual([]);\n    });\n", 19, code},
      {"├── src\n│   ├── main.cc\n│   └── relay.cc\n└── docs\n", 25, code},
      {"🚀 🎉 🔥 💡 🐛 📝 ✅ ❌ 🧪 🔒", 21, code},
      {"🎉🎉🎉 done 👍 see 📖 then 🚢", 14, code},
      {"✅ fixed ∀x ∈ ℝ → done", 11, 0.3},
      {"返回请求成功的响应数据，否则抛出错误。文件不存在时创建新文件。", 19, prose},
      {"傳回要求成功的回應資料，否則擲回錯誤。檔案不存在時建立新檔案。", 29, code},
      {"指定されたファイルを読み込み、内容を返します。エラーが発生した場合は例外を投げます。", 28, code},
      {"파일을 읽고 내용을 반환합니다. 오류가 발생하면 예외를 던집니다.", 20, code},
      {"Возвращает количество элементов в списке. Если список пуст, возвращает ноль.", 18, prose},
      {"يعيد عدد العناصر في القائمة. إذا كانت القائمة فارغة فإنه يعيد صفرا.", 18, prose},
      {"ส่งคืนจำนวนรายการในรายการ หากรายการว่างเปล่าจะส่งคืนศูนย์", 19, prose},
      {"सूची में तत्वों की संख्या लौटाता है। यदि सूची खाली है तो शून्य लौटाता है।", 23, prose},
      {"Επιστρέφει τον αριθμό των στοιχείων της λίστας. Αν η λίστα είναι κενή, επιστρέφει μηδέν.", 34, code},
      {"Zwraca liczbę elementów listy. Jeśli lista jest pusta, zwraca zero. Błąd, gdy brak pamięci.", 31,
       code},
      {"Trả về số phần tử trong danh sách. Nếu danh sách rỗng thì trả về số không.", 22, code},
      {"Gibt die Anzahl der Elemente zurück, die größer als null sind, oder wirft eine Ausnahme.", 20, 0.3},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(estimate_tokens(c.text));
    CHECK(off_by(c.text, c.real) <= c.tolerance * static_cast<double>(c.real));
  }
}

TEST_CASE("token estimate: a long word of letters that the weights know little of") {
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  // Real: 508, 507 and 257 tokens of 1,000 letters.
  for (const std::string_view part : {"qzxj", "ABAB", "tion"}) {
    CAPTURE(part);
    CHECK(estimate_tokens(repeated(part, 250)) >= 100);
    CHECK(estimate_tokens(repeated(part, 250)) <= 560);
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
    // The largest relative errors: too few tokens let an answer exceed its budget.
    double too_few;
    double too_many;
    std::vector<Case> cases;
  };
  const Kind kinds[] = {
      {"tables and flattened hovers",
       0.005,
       0.05,
       {
           {"tables/clangd19/nlohmann__json.hpp.golden.txt", 8686},
           {"tables/ts7/internal__types.ts.golden.txt", 1942},
           {"tables/tsls/internal__Observable.ts.golden.txt", 3154},
           {"hover_text/clangd19.rapidjson__document.h.golden.txt", 1400},
           {"hover_text/pyright.python3.11__typing.py.golden.txt", 884},
           {"hover_text/ts7.src__Option.ts.golden.txt", 1502},
       }},
      {"documentSymbol replies",
       0.005,
       0.05,
       {
           {"captures/clangd19/fmt__core.h.symbols.json", 51383},
           {"captures/pyright/python3.11__typing.py.symbols.json", 49933},
           {"captures/ts7/src__Option.ts.symbols.json", 10653},
           {"captures/tsls/lib__lib.dom.d.ts.symbols.json", 734489},
       }},
      {"hover replies",
       0.03,
       0.05,
       {
           {"captures/clangd19/rapidjson__document.h.hovers.json", 64867},
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
      const double error = static_cast<double>(estimate_tokens(text)) / static_cast<double>(c.real) - 1;
      CHECK(error >= -kind.too_few);
      CHECK(error <= kind.too_many);
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
    CHECK(grows_linearly(std::size_t{1} << 19, [&](std::size_t size) {
      std::string text;
      while (text.size() < size) text += piece;
      CHECK(estimate_tokens(text) > 0);
    }));
  }
}

}  // namespace token_estimate_test
}  // namespace symbols::table
