#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "tests/table/generated_rows.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace outline_format_test {

// Its name on line `line`, zero-based.
lsp::DocumentSymbol row(std::string name, std::int64_t kind, std::uint32_t line, std::int32_t parent = -1) {
  const std::uint32_t before = line == 0 ? 0 : line - 1;  // a comment or a decorator
  return symbol(std::move(name), kind, {{before, 0}, {line + 5, 0}}, {{line, 4}, {line, 5}}, parent);
}

const View standard{fields_of(Verbosity::standard)};
const View full{fields_of(Verbosity::full)};

TEST_CASE("outline: the example of the spec") {
  SymbolRows rows = made_rows(
      {{row("presentAssistantMessage", 12, 79), row("countLines", 12, 24, 0)}},
      {"async function presentAssistantMessage(params: PresentAssistantMessageParams): Promise<void>",
       "const countLines: (symbols: DocumentSymbol[]) => number"});
  rows.all[0].left_out = 1;
  CHECK(write_outline(rows, full) ==
        "[L80] (f+2) presentAssistantMessage\n"
        "  async function presentAssistantMessage(params: PresentAssistantMessageParams): Promise<void>\n"
        "  [L25] (f) countLines\n"
        "    const countLines: (symbols: DocumentSymbol[]) => number");
  CHECK(write_outline(rows, standard) == "[L80] (f+2) presentAssistantMessage\n  [L25] (f) countLines");
  rows.all[1].folded.inside = 7;
  CHECK(write_outline(rows, standard) == "[L80] (f+2) presentAssistantMessage\n  [L25] (f+7) countLines");
}

TEST_CASE("outline: headers") {
  struct Case {
    const char* what;
    std::vector<lsp::DocumentSymbol> symbols;
    bool kind_names;
    std::string text;
  };
  const std::vector<Case> cases{
      {"no symbols", {}, false, ""},
      {"levels, and back out of them",
       {row("a", 5, 0), row("b", 6, 1, 0), row("c", 13, 2, 1), row("d", 6, 3, 0), row("e", 14, 4)},
       false,
       "[L1] (c+2) a\n  [L2] (m+1) b\n    [L3] (v) c\n  [L4] (m) d\n[L5] (k) e"},
      {"words", {row("a", 5, 0), row("b", 6, 1, 0)}, true, "[L1] (Class+1) a\n  [L2] (Method) b"},
      {"kinds that LSP does not know",
       {row("a", 255, 0), row("b", -1, 1, 0)},
       false,
       "[L1] (<255>+1) a\n  [L2] (<-1>) b"},
      {"the last line", {row("a", 5, 4294967295)}, false, "[L4294967296] (c) a"},
      {"an empty name, blanks", {row("", 5, 0), row(" a ", 5, 0)}, false, "[L1] (c) \n[L1] (c)  a "},
      {"a name that would forge a header",
       {row("a\n[L2] (f) b\\", 5, 0)},
       false,
       "[L1] (c) a\\n[L2] (f) b\\\\"},
      {"control and bidirectional characters",
       {row("\x1b[2J\u202e\u2028", 5, 0)},
       false,
       "[L1] (c) \\x1B[2J\\u{202E}\\u{2028}"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(write_outline(made_rows({c.symbols}), {standard.fields, c.kind_names}) == c.text);
  }
}

TEST_CASE("outline: the summary is what the view shows") {
  lsp::DocumentSymbol symbol = row("a", 5, 0);
  symbol.detail = "int";
  const SymbolRows rows = made_rows({{symbol}}, {"the hover"}, {{"class a", "First. Second."}});
  using enum Field;
  struct Case {
    std::vector<Field> fields;
    std::string summary;
  };
  const std::vector<Case> cases{{{}, ""},
                                {{name, kind, lines, tags}, ""},
                                {{hover}, "\n  the hover"},
                                {{signature}, "\n  class a"},
                                {{doc}, "\n  First."},
                                {{detail}, "\n  int"},
                                {{signature, doc}, "\n  class a - First."},
                                {{doc, signature, detail}, "\n  class a - First. - int"},
                                {{hover, signature, doc}, "\n  the hover"},
                                {{hover, detail}, "\n  the hover - int"}};
  for (const Case& c : cases) CHECK(write_outline(rows, {c.fields}) == "[L1] (c) a" + c.summary);
}

TEST_CASE("outline: no summary looks like a header") {
  for (const auto& [hover, line] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"[L1] (f) x", "\n  \\[L1] (f) x"},
                                                        {"  [L1] (f) x", "\n  \\  [L1] (f) x"},
                                                        {"a\n  [L1] (f) x", "\n  a\\n  [L1] (f) x"},
                                                        {"\\[L1]", "\n  \\\\[L1]"},
                                                        {"\t[L1]", "\n  \\t[L1]"}}) {
    CAPTURE(hover);
    CHECK(write_outline(made_rows({{row("a", 5, 0)}}, {hover}), full) == "[L1] (c) a" + line);
  }
}

TEST_CASE("outline: 100,000 levels do not make gigabytes of blanks") {
  const auto name = [](std::size_t) { return std::string("n"); };
  const auto range = [](std::size_t) { return lsp::Range{{1, 0}, {2, 0}}; };
  const std::string text = write_outline(chain(100000, name, range), standard);
  CHECK(text.size() < 100000u * 230u);
  CHECK(
      text.ends_with("\n" + std::string(200, ' ') + "[L2] (c+1) n\n" + std::string(200, ' ') + "[L2] (c) n"));
}

}  // namespace outline_format_test
}  // namespace symbols::table
