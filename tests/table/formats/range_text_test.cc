#include "table/formats/range_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "table/escape.h"
#include "tests/table/error_of.h"

namespace symbols::table {
namespace {

TEST_CASE("range text: both ways") {
  struct Case {
    lsp::Range range;
    std::string text;
  };
  constexpr std::uint32_t most = 4294967295;
  const std::vector<Case> cases{
      {{{0, 0}, {0, 0}}, "0:0-0"},
      {{{52, 6}, {52, 61}}, "52:6-61"},
      {{{24, 8}, {28, 3}}, "24:8-28:3"},
      {{{10, 100}, {10, 2}}, "10:100-2"},  // reversed, as it came
      {{{9, 0}, {3, 7}}, "9:0-3:7"},
      {{{most, most}, {most, most}}, "4294967295:4294967295-4294967295"},
      {{{most, most}, {0, most}}, "4294967295:4294967295-0:4294967295"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    std::string out = "x";
    append_range(out, c.range);
    CHECK(out == "x" + c.text);
    const Result<lsp::Range> range = parse_range(c.text);
    REQUIRE(error_of(range) == "");
    CHECK(*range == c.range);
  }
}

TEST_CASE("range text: what is no range") {
  const std::string shape =
      "expected line:start-end, as in 52:6-61, or startLine:start-endLine:end, as in 24:8-28:3";
  const std::string large = "a line or character is above 4294967295";
  const std::string twice = "both ends are on one line, which is then written once: line:start-end";
  struct Case {
    std::string text;
    std::string reason;
  };
  const std::vector<Case> cases{
      {"", shape},
      {"52", shape},
      {"52:6", shape},
      {"52:6-", shape},
      {":6-61", shape},
      {"52:-61", shape},
      {"52:6-61:", shape},
      {"52:6-61:2:3", shape},
      {"52:6-61 ", shape},
      {" 52:6-61", shape},
      {"52: 6-61", shape},
      {"52:6–61", shape},
      {"+52:6-61", shape},
      {"-52:6-61", shape},
      {"52:6--61", shape},
      {"0x5:6-61", shape},
      {"5.0:6-61", shape},
      {"052:6-61", shape},
      {"52:6-00", shape},
      {"53-59", shape},
      {"52:6-61\n", shape},
      {std::string("52:6-61\0", 8), shape},
      {"4294967296:0-0", large},
      {"0:4294967296-0", large},
      {"0:0-99999999999999999999", large},
      {"0:0-1:4294967296", large},
      {"5:1-5:3", twice},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Result<lsp::Range> range = parse_range(c.text);
    REQUIRE_FALSE(range.has_value());
    CHECK(range.error().text() == "cannot read " + table::quoted(c.text) + " as a range: " + c.reason);
  }
}

}  // namespace
}  // namespace symbols::table
