#include "proxy/output/run_output.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "table/token_estimate.h"

namespace run_output_test {
using namespace symbols;

const table::Rendering plain{.view = {.fields = table::fields_of(table::Verbosity::standard)}};

// What is written, and what is told.
struct Written final : output::RunOutput {
  void write(std::string_view text) override { out += text; }
  void tell(std::string_view message) override { told.emplace_back(message); }
  void show_progress(std::string_view) override {}
  std::string out;
  std::vector<std::string> told;
};

TEST_CASE("answers are printed in the order asked, whatever the order they come in") {
  Written written;
  const std::string& out = written.out;
  output::OrderedOutput output({"a", "b", "c"}, {.rendering = plain, .several = true}, written);
  const auto rows = [] {
    return engine::DocumentAnswer{.rows = table::SymbolRows{}, .error = {}, .notes = {"seen"}};
  };
  output.add(2, rows());
  CHECK(out == "");
  output.add(0, rows());
  CHECK(out == "==> a <==\nNAME | KIND | RANGE | SELECTION | PARENT\n");
  output.add(1, {.rows = {}, .error = Error{"it broke", "mend it"}, .notes = {}});
  CHECK(out.ends_with("==> c <==\nNAME | KIND | RANGE | SELECTION | PARENT\n"));
  CHECK(written.told == std::vector<std::string>{"note: seen", "b: it broke; mend it", "note: seen"});
  CHECK(output.any_failed());
}

TEST_CASE("a budget of several files is theirs together, and what it has no room for is counted") {
  table::SymbolRows rows;
  for (int i = 0; i < 50; ++i)
    rows.all.push_back({{.name = "symbol", .kind = 12, .range = {}, .selection_range = {}}});
  for (const table::Format format : {table::Format::table, table::Format::packed}) {
    table::Rendering rendering = plain;
    rendering.format = format;
    rendering.max_tokens = 400;
    Written written;
    const std::string& out = written.out;
    output::OrderedOutput output(std::vector<std::string>(20, "a"), {.rendering = rendering, .several = true},
                                 written);
    for (std::size_t i = 0; i < 20; ++i) output.add(i, {.rows = rows, .error = {}, .notes = {}});
    output.finish({});
    CAPTURE(out);
    CHECK(table::estimate_tokens(out) < 460);
    CHECK(table::estimate_tokens(out) > 200);
    CHECK(out.find(" of 20 files") != std::string::npos);
  }
}

TEST_CASE("a document gets an equal share of what those before it have left of the budget") {
  struct Case {
    std::size_t budget;
    std::vector<std::size_t> rows;  // of each document
    std::string shown;              // of these
  };
  const Case cases[] = {
      {400, {50, 50, 50, 50}, "5 5 6 6 "},
      {400, {1, 50, 1, 50}, "1 7 1 14 "},
      {400, {50, 1, 1, 1}, "5 1 1 1 "},
      {150, {50, 50, 50, 50}, "2 2 0 0 "},
      {30, {50, 50}, "0 0 "},
  };
  for (const Case& c : cases) {
    table::Rendering rendering = plain;
    rendering.max_tokens = c.budget;
    Written written;
    output::OrderedOutput output(std::vector<std::string>(c.rows.size(), "a"),
                                 {.rendering = rendering, .several = true}, written);
    std::string shown;
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      table::SymbolRows rows;
      rows.all.resize(c.rows[i], {{.name = "symbol", .kind = 12, .range = {}, .selection_range = {}}});
      written.out.clear();
      output.add(i, {.rows = rows, .error = {}, .notes = {}});
      std::size_t lines = 0;
      for (std::size_t at = 0; (at = written.out.find("\nsymbol ", at)) != std::string::npos; ++at) ++lines;
      shown += std::to_string(lines) + " ";
    }
    CHECK(shown == c.shown);
  }
}

TEST_CASE("a budget holds for symbols and diagnostics together, and its notice is the text's last line") {
  table::SymbolRows rows;
  for (int i = 0; i < 30; ++i)
    rows.all.push_back({{.name = "symbol", .kind = 12, .range = {}, .selection_range = {}}});
  table::Diagnostics diagnostics{.value = lsp::DiagnosticList{}};
  for (std::uint32_t i = 0; i < 40; ++i) {
    diagnostics.value->first.push_back(
        {.range = {{i, 0}, {i, 9}}, .code = "2322", .source = "ts", .message = "Type is not assignable."});
  }
  diagnostics.value->total = 40;
  const std::string path = "a/folder/with/a/rather/long/name/for/a/file/of/few/symbols.ts";
  for (const table::Format format : {table::Format::table, table::Format::tree, table::Format::toon,
                                     table::Format::tsv, table::Format::packed}) {
    for (const bool several : {false, true}) {
      CAPTURE(table::format_name(format));
      table::Rendering rendering = plain;
      rendering.format = format;
      rendering.max_tokens = 500;
      Written written;
      const std::string& out = written.out;
      output::OrderedOutput output({path}, {.rendering = rendering, .several = several, .diagnostics = true},
                                   written);
      output.add(0, {.rows = rows, .error = {}, .notes = {}, .diagnostics = diagnostics});
      output.finish({});
      CAPTURE(out);
      CHECK(table::estimate_tokens(out) <= 500 + (several ? 12 : 1));  // `{"results":` and its end
      CHECK(table::estimate_tokens(out) > 250);
      CHECK(out.find(" diagnostics") != std::string::npos);
      const std::size_t last_line = out.rfind('\n', out.size() - 2) + 1;
      const bool in_a_member = format == table::Format::packed || format == table::Format::toon;
      const std::string_view start = in_a_member ? "truncated" : "# truncated: ";
      const std::size_t notice = out.find(start);
      REQUIRE(notice != std::string::npos);
      if (!in_a_member) CHECK(notice == last_line);
      CHECK(out.find("dropped: 3", notice) != std::string::npos);
    }
  }
}

TEST_CASE("several answers as JSON are one object, with the errors in it") {
  Written written;
  const std::string& out = written.out;
  output::OrderedOutput output({"a", "b"}, {.rendering = {.format = table::Format::json}, .several = true},
                               written);
  output.add(0, {.rows = {}, .error = Error{"no", "advice"}, .notes = {}});
  output.add(1, {.rows = table::SymbolRows{}, .error = {}, .notes = {}});
  output.finish({Error{"a folder", ""}});
  CHECK(
      out ==
      R"({"results":[{"path":"b","symbols":[]}],"errors":[{"path":"a","error":"no; advice"},{"error":"a folder"}]})"
      "\n");
}

}  // namespace run_output_test
