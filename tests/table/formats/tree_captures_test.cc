// What servers really sent: trees and outlines as they must stay, and trees as they must read back.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "table/formats/outline_format.h"
#include "table/formats/tree_format.h"
#include "table/formats/tree_row.h"
#include "tests/table/captures.h"
#include "tests/table/error_of.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

void check_golden(const std::string& text, const std::filesystem::path& golden) {
  CAPTURE(golden.string());
  if (std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr) {
    std::filesystem::create_directories(golden.parent_path());
    std::ofstream(golden, std::ios::binary) << text;
  }
  CHECK(text == read_file(golden));
}

TEST_CASE("tree and outline: goldens") {
  struct Case {
    std::string capture;
    Verbosity verbosity;
  };
  const std::vector<Case> cases{
      {"clangd19/nlohmann__json.hpp", Verbosity::standard},  // deep, names and selections of every form
      {"gopls/strings__builder.go", Verbosity::full},
      {"ts7/internal__types.ts", Verbosity::minimal},
      {"tsls/internal__Observable.ts", Verbosity::full},
  };
  const std::filesystem::path fixtures(FIXTURES_DIR);
  for (const Case& c : cases) {
    const SymbolRows rows =
        load_rows_with_hovers({c.capture, fixtures / "captures" / (c.capture + ".symbols.json")});
    const View view{fields_of(c.verbosity)};
    check_golden(write_tree(rows, view), fixtures / "trees" / (c.capture + ".golden.txt"));
    check_golden(write_outline(rows, view), fixtures / "outlines" / (c.capture + ".golden.txt"));
  }
}

// The rows as `verbosity` shows them, with `detail` and tags, read back as they were.
void check_reads_back(SymbolRows rows, Verbosity verbosity, bool kind_names) {
  View view{fields_of(verbosity), kind_names};
  view.fields.insert(view.fields.end(), {Field::tags, Field::detail});
  rows.with_hover = verbosity == Verbosity::full;
  for (Row& row : rows.all) {
    row.deprecated = false;  // no field holds it
    if (!rows.with_hover) row.hover.clear();
  }
  const Result<SymbolRows> back = read_tree(write_tree(rows, view));
  REQUIRE(error_of(back) == "");
  const bool same = *back == rows;  // not CHECK(a == b): that would print the rows
  CHECK(same);
}

TEST_CASE("tree: every capture reads back, with and without hovers") {
  const std::vector<Capture> all = captures();
  CHECK(all.size() >= 16);
  for (const Capture& capture : all) {
    CAPTURE(capture.name);
    const SymbolRows rows = load_rows_with_hovers(capture);
    for (const bool kind_names : {false, true}) {
      check_reads_back(rows, Verbosity::full, kind_names);
      check_reads_back(rows, Verbosity::standard, kind_names);
    }
  }
}

TEST_CASE("tree: every flat capture reads back") {
  const std::vector<Capture> all = captures(".flat.json");
  CHECK(all.size() >= 10);
  for (const Capture& capture : all) {
    CAPTURE(capture.name);
    check_reads_back(made_rows(load_tree(capture)), Verbosity::standard, false);
  }
}

// How many rows of `tree` do not read back from its text in the view minimal.
std::size_t different_in_minimal(const lsp::SymbolTree& tree, bool all_ends) {
  View view{fields_of(Verbosity::minimal)};
  view.all_ends = all_ends;
  const Result<SymbolRows> back = read_tree(write_tree(made_rows(tree), view));
  REQUIRE(error_of(back) == "");
  REQUIRE(back->all.size() == tree.symbols.size());
  std::size_t different = 0;
  for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
    const lsp::DocumentSymbol& was = tree.symbols[row];
    const lsp::DocumentSymbol& is = back->all[row];
    const std::uint32_t last = all_ends || is_long(was.range) ? was.range.end.line : was.range.start.line;
    const bool same = is.name == was.name && is.kind == was.kind && is.parent == was.parent &&
                      is.range.start.line == was.range.start.line && is.range.end.line == last;
    if (!same) ++different;
  }
  return different;
}

TEST_CASE("tree: minimal keeps name, kind, nesting, first lines and long last lines of every capture") {
  for (const Capture& capture : captures()) {
    CAPTURE(capture.name);
    const lsp::SymbolTree tree = load_tree(capture);
    CHECK(different_in_minimal(tree, false) == 0);
    CHECK(different_in_minimal(tree, true) == 0);
  }
}

}  // namespace
}  // namespace symbols::table
