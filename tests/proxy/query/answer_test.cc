// The result of a documentSymbol request as it is written: object, carrier symbol.
#include "proxy/query/answer.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/json/json_document.h"

namespace symbols::query {
namespace {

// A class `A` with a method `m|é` in it, and a hover of it.
table::SymbolRows rows(bool with_hover) {
  table::SymbolRows rows;
  lsp::DocumentSymbol outer;
  outer.name = "A";
  outer.kind = 5;
  outer.range = {{0, 0}, {3, 1}};
  outer.selection_range = {{0, 6}, {0, 7}};
  lsp::DocumentSymbol inner;
  inner.name = "m|é";
  inner.kind = 6;
  inner.range = {{1, 2}, {2, 3}};
  inner.selection_range = {{1, 2}, {1, 5}};
  inner.parent = 0;
  rows.all = {{outer}, {inner}};
  rows.with_hover = with_hover;
  if (with_hover) rows.all[1].hover = "void m()";
  return rows;
}

// The text of a DocumentSymbol[] or an object with a table.
std::string text_of(const std::string& json) {
  for (const char c : json) REQUIRE((c >= 0x20 && c < 0x7F));
  const Result<rapidjson::Document> value = lsp::parse_json(json);
  REQUIRE(value.has_value());
  const rapidjson::Value& text = value->IsArray() ? (*value)[0]["name"] : (*value)["symbols"];
  return {text.GetString(), text.GetStringLength()};
}

constexpr const char* table_text =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL\n"
    "A | 5 | 0:0-3:1 | 0:6-7 |  |  | <<<\n"
    "m\\|é | 6 | 1:2-2:3 | 1:2-5 | A | void m() | <<<";

TEST_CASE("answer: an object with the text, and meta only where there is something to say") {
  const options::AnswerOptions with_hovers{};
  const options::AnswerOptions options{.include_hover = false};
  CHECK(text_of(write_symbol_answer(rows(true), with_hovers, {}, {})) == table_text);
  const std::string escaped = R"(NAME | KIND | RANGE | SELECTION | PARENT\nA | 5 | 0:0-3:1 | 0:6-7 | \n)"
                              R"(m\\|\u00e9 | 6 | 1:2-2:3 | 1:2-5 | A)";
  CHECK(write_symbol_answer(rows(false), options, {}, {}) ==
        R"({"success":true,"format":"table","symbols":")" + escaped + "\"}");
  CHECK(write_symbol_answer(rows(false), options, {}, {.hovers_missing = 3}) ==
        R"({"success":true,"format":"table","symbols":")" + escaped + R"(","meta":{"hovers_missing":3}})");
  CHECK(Answer::error(-32602, "say \"é\"\n").json == R"({"code":-32602,"message":"say \"\u00e9\"\n"})");
  CHECK(write_symbol_answer({}, options, {}, {}) ==
        R"({"success":true,"format":"table","symbols":"NAME | KIND | RANGE | SELECTION | PARENT"})");
}

TEST_CASE("answer: one symbol that carries the text has the document's range") {
  const options::AnswerOptions options{.carrier = options::Carrier::symbol};
  struct Case {
    table::SymbolRows rows;
    const char* document;  // empty: not known
    const char* end;
    lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
  };
  const Case cases[] = {
      {rows(true), "", R"({"line":3,"character":1})"},
      {{}, "", R"({"line":0,"character":0})"},
      {rows(true), "a\nb\nc\nd\ne\n", R"({"line":5,"character":0})"},
      {rows(true), "a", R"({"line":3,"character":1})"},  // symbols beyond a text that is older
      {{}, "\n\U0001F600é", R"({"line":1,"character":3})"},
      {{}, "\n\U0001F600é", R"({"line":1,"character":6})", lsp::PositionEncoding::utf8},
  };
  for (const Case& c : cases) {
    CAPTURE(c.end);
    const std::string json =
        write_symbol_answer(c.rows, options, {.uri = "file:///a", .flat = false, .encoding = c.encoding},
                            {.hovers_missing = 2, .document_text = c.document});
    CHECK(json.starts_with(R"([{"name":"NAME | KIND | RANGE | )"));
    CHECK(json.ends_with(std::string(R"(","kind":1,"range":{"start":{"line":0,"character":0},"end":)") +
                         c.end +
                         R"(},"selectionRange":{"start":{"line":0,"character":0},"end":)"
                         R"({"line":0,"character":0}},"children":[]}])"));
  }
  CHECK(text_of(write_symbol_answer(rows(true), options, {}, {})) == table_text);
}

TEST_CASE("answer: what a budget left out of diagnostics is reported too, in the last line of the text") {
  table::Diagnostics diagnostics{.value = lsp::DiagnosticList{}};
  for (int i = 0; i < 40; ++i)
    diagnostics.value->first.push_back({.range = {}, .code = {}, .source = {}, .message = "Not assignable."});
  diagnostics.value->total = 40;
  for (const options::Carrier carrier : {options::Carrier::object, options::Carrier::symbol}) {
    const options::AnswerOptions options{.max_tokens = 200, .carrier = carrier};
    const std::string json = write_symbol_answer(rows(true), options, {}, {.diagnostics = diagnostics});
    const std::string text = text_of(json);
    const std::size_t notice = text.rfind("\n# truncated: ");
    REQUIRE(notice != std::string::npos);
    CHECK(text.find('\n', notice + 1) == std::string::npos);
    CHECK(text.find("dropped: 3", notice) != std::string::npos);
    CHECK((text.find("\n# diagnostics ") < notice) == (carrier == options::Carrier::symbol));
    CHECK((json.find(R"("truncated":)") == std::string::npos) == (carrier == options::Carrier::symbol));
  }
}

TEST_CASE("answer: errors in the source are told in meta") {
  const std::string json = write_symbol_answer(
      rows(true), {}, {},
      {.source_errors = SourceErrors{.count = 2, .line = 7, .message = "'a.h' file not found"}});
  CHECK(
      json.find(
          R"("meta":{"source_errors":"2 errors, so types and symbols may be wrong; the first, in line 7: 'a.h')") !=
      std::string::npos);
}

}  // namespace
}  // namespace symbols::query
