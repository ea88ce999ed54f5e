// The answer to one documentSymbol request, from the server's reply to the answer's bytes.
#include "proxy/query/symbol_query.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/proxy/query/query_stage.h"

namespace symbols::query {
namespace symbol_query_test {

using Strings = std::vector<std::string>;
using std::chrono::milliseconds;

constexpr const char* params = R"({"textDocument":{"uri":"file:///a"},"workDoneToken":"é"})";

std::unique_ptr<SymbolQuery> ask(QueryStage& stage, const options::AnswerOptions& options,
                                 bool flat = false) {
  return std::make_unique<SymbolQuery>(stage.services(), params, options,
                                       SymbolAnswerStyle{.uri = "file:///a", .flat = flat}, stage.done());
}

// The answer in a text format.
std::string table(const std::string& rows, const std::string& meta = "") {
  return R"({"success":true,"format":"table","symbols":"NAME | KIND | RANGE | SELECTION | PARENT)" + rows +
         "\"" + meta + "}";
}
const std::string with_hover = " | HOVER_INFO | EOL";

const options::AnswerOptions no_hover{.include_hover = false};
const options::AnswerOptions standard{.format = table::Format::json};
const options::AnswerOptions standard_all{.format = table::Format::json,
                                          .return_children = table::Levels{.rule = table::Levels::Rule::all}};

TEST_CASE("symbol query: the server's reply becomes the answer") {
  const std::string tree = "[" + symbol_json("f", 0, 0, 9, symbol_json("g", 0, 2, 4)) + "]";
  const std::string built = "[" + symbol_json("f", 0, 0, 9, leaf_json("g", 0, 2, 4)) + "]";
  const std::string flat = R"([ {"name":"f","kind":12,"location":{"uri":"file:///a","range":)" +
                           range_json(0, 0, 9) + R"(},"containerName":"é"} ])";
  const std::string cut =
      R"(error {"code":-32603,"message":"the server's reply to documentSymbol is cut; see the server's log"})";
  struct Case {
    const char* what;
    options::AnswerOptions options;
    bool is_flat;
    std::string reply;
    std::string expected;
    int warnings;
  };
  const Case cases[] = {
      {"symbols", no_hover, false, tree, table(R"(\nf | 12 | 0:0-9 | 0:0-1 | )"), 0},
      {"the value, not what follows", no_hover, false, tree + R"(,"id":"x"})",
       table(R"(\nf | 12 | 0:0-9 | 0:0-1 | )"), 0},
      {"flat symbols", no_hover, false, flat, table(R"(\nf | 12 | 0:0-9 | 0:0-0 | \u00e9)"), 0},
      {"null", no_hover, false, "null", table(""), 0},
      {"an empty array", no_hover, false, "[]", table(""), 0},
      {"null, with hovers", {}, false, "null", table(with_hover), 0},
      {"an empty array, with hovers", {}, false, "[ ]", table(with_hover), 0},
      {"an unknown shape", {}, false, R"({"items":[],"é":1.0})", R"({"items":[],"é":1.0})", 1},
      {"an array of something else", {}, false, R"([7])", R"([7])", 1},
      {"broken JSON within brackets", {}, false, R"([{"name":}])", R"([{"name":}])", 1},
      {"standard stays", standard, false, tree, tree, 0},
      {"standard stays, byte for byte", standard, false, R"([ {"é" : 1.50, "x":"\u00e9"}, 7 ])",
       R"([ {"é" : 1.50, "x":"\u00e9"}, 7 ])", 0},
      {"standard null stays", standard, false, "null", "null", 0},
      {"standard with levels is built anew", standard_all, false, tree, built, 0},
      {"standard with levels, null", standard_all, false, "null", "[]", 0},
      {"flat, of a tree", standard, true, tree,
       R"([{"name":"f","kind":12,"location":{"uri":"file:///a","range":)" + range_json(0, 0, 9) +
           R"(}},{"name":"g","kind":12,"location":{"uri":"file:///a","range":)" + range_json(0, 2, 4) +
           R"(},"containerName":"f"}])",
       0},
      {"flat, of a flat reply, stays", standard, true, flat, flat, 0},
      {"flat, of nothing", standard, true, "[]", "[]", 0},
      {"flat, null", standard, true, "null", "null", 0},
      {"a reply that is cut", {}, false, "[1,2", cut, 0},
      {"no value at all", {}, false, "", cut, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    QueryStage stage;
    const auto query = ask(stage, c.options, c.is_flat);
    REQUIRE(stage.server.sent.size() == 1);
    CHECK(stage.server.sent[0].method == "textDocument/documentSymbol");
    CHECK(stage.server.sent[0].params == params);
    stage.server.reply(c.reply);
    CHECK(stage.answers == Strings{c.expected});
    CHECK(stage.warnings.size() == static_cast<std::size_t>(c.warnings));
    CHECK(stage.counted.size() == (c.expected.starts_with("error") ? 0 : 1));
    CHECK(stage.server.sent.empty());
    stage.server.delayed.run();
    CHECK(stage.answers.size() == 1);
  }
}

TEST_CASE("symbol query: hovers of the rows that are there, and no others") {
  struct Case {
    const char* what;
    options::AnswerOptions options;
    std::size_t asked;
    std::string expected;
  };
  const std::string tree =
      "[" + symbol_json("f", 0, 0, 9, symbol_json("g", 0, 2, 4)) + "," + symbol_json("h", 1, 0, 5) + "]";
  using table::Levels;
  const Case cases[] = {
      {"top level",
       {},
       2,
       table(with_hover + R"(\nf | 12 | 0:0-9 | 0:0-1 |  | 0123456789 | <<<)"
                          R"(\nh | 12 | 1:0-5 | 1:0-1 |  | 0123456789 | <<<)")},
      {"all, cut",
       {.return_children = Levels{.rule = Levels::Rule::all}, .hover_chars = 5},
       3,
       table(with_hover + R"(\nf | 12 | 0:0-9 | 0:0-1 |  | 0123\u2026 | <<<)"
                          R"(\ng | 12 | 0:2-4 | 0:2-3 | f | 0123\u2026 | <<<)"
                          R"(\nh | 12 | 1:0-5 | 1:0-1 |  | 0123\u2026 | <<<)")},
      {"as detail in standard",
       {.format = table::Format::json,
        .include_hover = true,
        .return_children = Levels{.rule = Levels::Rule::top_level}},
       2,
       R"([{"name":"f","detail":"0123456789","kind":12,"range":)" + range_json(0, 0, 9) +
           R"(,"selectionRange":)" + range_json(0, 0, 1) +
           R"(,"children":[]},{"name":"h","detail":"0123456789","kind":12,"range":)" + range_json(1, 0, 5) +
           R"(,"selectionRange":)" + range_json(1, 0, 1) + R"(,"children":[]}])"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    QueryStage stage;
    const auto query = ask(stage, c.options);
    stage.server.reply(tree);
    CHECK(stage.out() == Strings(c.asked, "hover"));
    while (!stage.server.sent.empty()) {
      CHECK(stage.answers.empty());
      stage.server.reply(hover_json("0123456789"));
    }
    CHECK(stage.answers == Strings{c.expected});
    CHECK(stage.counted.size() == 1);  // the hovers are not what the client asked for
  }
}

TEST_CASE(
    "symbol query: what a budget left out of diagnostics is reported too, in the last line of the text") {
  std::string items;
  for (int i = 0; i < 40; ++i)
    items += (i > 0 ? "," : "") + (R"({"range":)" + range_json(1, 2, 3) + R"(,"message":"Not assignable."})");
  for (const options::Carrier carrier : {options::Carrier::object, options::Carrier::symbol}) {
    QueryStage stage;
    stage.capabilities.diagnostics = true;
    options::AnswerOptions options{.include_hover = false, .max_tokens = 200, .carrier = carrier};
    options.include = *options::IncludedParts::parse(options::OptionValue::of_text("x", "diagnostics:100"));
    const auto query = ask(stage, options);
    stage.server.reply("[" + symbol_json("f", 0, 0, 9) + "]");
    stage.server.reply(R"({"kind":"full","items":[)" + items + "]}");
    REQUIRE(stage.answers.size() == 1);
    const std::string& json = stage.answers[0];
    const std::size_t notice = json.rfind("\\n# truncated: ");
    REQUIRE(notice != std::string::npos);
    CHECK(json.find("dropped: 3", notice) != std::string::npos);
    CHECK((json.find("\\n# diagnostics ") < notice) == (carrier == options::Carrier::symbol));
    CHECK((json.find(R"("truncated":)") == std::string::npos) == (carrier == options::Carrier::symbol));
  }
}

TEST_CASE("symbol query: errors in the source are told in meta") {
  QueryStage stage;
  stage.published.keep(published_json(
      R"({"severity":1,"code":"pp_file_not_found","source":"clang","message":"'a.h' file not found","range":)" +
      range_json(6, 0, 1) + "}"));
  const auto query = ask(stage, no_hover);
  stage.server.reply("[]");
  CHECK(
      stage.answers[0].find(
          R"("meta":{"source_errors":"1 error, so types and symbols may be wrong; the first, in line 7: 'a.h')") !=
      std::string::npos);
}

}  // namespace symbol_query_test
}  // namespace symbols::query
