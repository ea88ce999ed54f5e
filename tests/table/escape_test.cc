#include "table/escape.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/unicode.h"
#include "tests/table/error_of.h"
#include "tests/table/generated_rows.h"

namespace symbols::table {
namespace escape_test {

using namespace std::string_literals;

constexpr CellEscape table_escape("|");

std::string escaped(std::string_view cell, const CellEscape& escape = table_escape) {
  std::string out = "before:";
  escape.append(out, cell);
  REQUIRE(out.starts_with("before:"));
  return out.substr(7);
}

Result<std::string> unescaped(const CellEscape& escape, std::string_view cell) {
  std::string text;
  const std::optional<EscapeFault> fault = escape.append_unescaped(text, cell);
  if (fault) return Error{fault->message, {}};
  return {boost::system::in_place_value, std::move(text)};
}

TEST_CASE("terminal text shows control characters and keeps what is escaped already") {
  CHECK(terminal_text("a\x1B[2J\nb\\x1B \xE2\x80\xAE\xFF") == "a\\x1B[2J\\nb\\x1B \\u{202E}\xEF\xBF\xBD");
  CHECK(terminal_text("") == "");
}

TEST_CASE("escape: both ways") {
  struct Case {
    const char* what;
    std::string text;
    std::string escaped;
  };
  const std::vector<Case> cases{
      {"nothing", "", ""},
      {"plain ASCII", "operator() const", "operator() const"},
      {"blanks at the ends", "  a ", "  a "},
      {"the delimiter", "operator||", "operator\\|\\|"},
      {"backslashes", "\\d\\\\", "\\\\d\\\\\\\\"},
      {"a depth mark in a name", "a\\^3", "a\\\\^3"},
      {"what looks like an escape", "\\n \\x1B", "\\\\n \\\\x1B"},
      {"line ends and tab", "a\nb\r\nc\td", "a\\nb\\r\\nc\\td"},
      {"C0", "\0\x01\x1b[31m\x1f"s, "\\x00\\x01\\x1B[31m\\x1F"},
      {"DEL", "\x7f", "\\x7F"},
      {"C1: first, NEL, CSI, last", "\u0080\u0085\u009b\u009f", "\\x80\\x85\\x9B\\x9F"},
      {"after C1", "\u00a0é", "\u00a0é"},
      {"line and paragraph separator", "\u2028\u2029", "\\u{2028}\\u{2029}"},
      {"marks of direction", "\u061c\u200e\u200f", "\\u{061C}\\u{200E}\\u{200F}"},
      {"embeddings and overrides", "\u202a\u202b\u202c\u202d\u202e",
       "\\u{202A}\\u{202B}\\u{202C}\\u{202D}\\u{202E}"},
      {"isolates", "\u2066\u2067\u2068\u2069", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"},
      {"their neighbours stand", "\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a",
       "\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a"},
      {"beyond the BMP", "😀", "😀"},
      {"mixed", "<T | \x1b😀\n>", "<T \\| \\x1B😀\\n>"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(escaped(c.text) == c.escaped);
    const Result<std::string> back = unescaped(table_escape, c.escaped);
    REQUIRE(error_of(back) == "");
    CHECK(*back == c.text);
  }
}

TEST_CASE("escape: the delimiters are the format's own") {
  constexpr CellEscape none("");
  constexpr CellEscape two("[:");
  CHECK(escaped("a|b[c:d", none) == "a|b[c:d");
  CHECK(escaped("a|b[c:d", two) == "a|b\\[c\\:d");
  CHECK(*unescaped(two, "a|b\\[c\\:d") == "a|b[c:d");
  CHECK_FALSE(unescaped(two, "\\|").has_value());
}

TEST_CASE("escape: invalid UTF-8 becomes U+FFFD, one for each byte") {
  const std::pair<std::string, std::string> cases[] = {
      {"a\xff", "a\ufffd"},                    // no lead byte
      {"a\xe2\x80", "a\ufffd\ufffd"},          // cut short at the end
      {"\xc3|", "\ufffd\\|"},                  // cut short before ASCII
      {"\xc0\xaf", "\ufffd\ufffd"},            // overlong slash
      {"\xed\xa0\xbd", "\ufffd\ufffd\ufffd"},  // surrogate
      {"\n\x80 b", "\\n\ufffd b"},
  };
  for (const auto& [text, cell] : cases) CHECK(escaped(text) == cell);
  CHECK(*unescaped(table_escape, "a\xff\\nb\xc3") == "a\ufffd\nb\ufffd");
}

TEST_CASE("unescape: what the writer never writes, but is clear") {
  const std::pair<std::string, std::string> cases[] = {
      {"\\x1b\\x9f", "\x1b\u009f"},           // lower-case digits
      {"\\x41", "A"},                         // a character that needs no escape
      {"\\u{41}\\u{1F600}\\u{00e9}", "A😀é"},  // one to six digits
      {"tab\there", "tab\there"},             // raw control characters
  };
  for (const auto& [cell, text] : cases) {
    const Result<std::string> read = unescaped(table_escape, cell);
    REQUIRE(error_of(read) == "");
    CHECK(*read == text);
  }
}

TEST_CASE("unescape: errors say where and what") {
  const std::pair<std::string, std::size_t> cases[] = {
      {"\\q", 0},        {"é\\é", 2},         {"a\\^b", 1},     {"ab\\", 2},       {"\\\\\\", 2},
      {"\\x", 0},        {"\\x1", 0},         {"\\x1G", 0},     {"\\x-1", 0},      {"\\xA0", 0},
      {"é\\xff", 2},     {"\\u", 0},          {"\\u2028", 0},   {"\\u{}", 0},      {"\\u{2028", 0},
      {"\\u{20 28}", 0}, {"\\u{0002028}", 0}, {"\\u{D83D}", 0}, {"\\u{110000}", 0}};
  for (const auto& [cell, offset] : cases) {
    CAPTURE(cell);
    std::string text;
    const std::optional<EscapeFault> fault = table_escape.append_unescaped(text, cell);
    REQUIRE(fault.has_value());
    CHECK(fault->offset == offset);
    CHECK(fault->message == "this is not an escape; the escapes are \\\\ \\n \\r \\t \\xHH \\u{HHHH} \\|");
  }
}

TEST_CASE("escape: hostile text comes back, and nothing in it is raw") {
  Dice dice(1);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = hostile_text(dice);
    const std::string cell = escaped(text);
    const Result<std::string> back = unescaped(table_escape, cell);
    REQUIRE(error_of(back) == "");
    REQUIRE(*back == lsp::to_valid_utf8(text));
    for (std::size_t at = 0; at < cell.size(); ++at) {
      REQUIRE(static_cast<unsigned char>(cell[at]) >= 0x20);
      if (cell[at] == '\\') {
        ++at;
      } else {
        REQUIRE(cell[at] != '|');
      }
    }
  }
}

TEST_CASE("quoted: escaped, and cut after 60 characters") {
  CHECK(quoted("") == "\"\"");
  CHECK(quoted("say \"a\\b\"\n") == "\"say \\\"a\\\\b\\\"\\n\"");
  std::string sixty;
  for (int i = 0; i < 60; ++i) sixty += "é";
  CHECK(table::quoted(sixty) == "\"" + sixty + "\"");
  CHECK(table::quoted(sixty + "\n") == "\"" + sixty + "…\"");
}

}  // namespace escape_test
}  // namespace symbols::table
