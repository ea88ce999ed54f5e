// What servers really sent: tables as they must stay.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "table/formats/table_format.h"
#include "tests/table/captures.h"
#include "tests/table/made_row.h"
#include "tests/table/written_table.h"

namespace symbols::table {
namespace {

TEST_CASE("table: goldens") {
  struct Case {
    std::string capture;
    bool with_hover;
  };
  const std::vector<Case> cases{
      {"clangd19/nlohmann__json.hpp", false},  // many rows share their parent's name
      {"gopls/strings__builder.go", true},
      {"ts7/internal__types.ts", false},
      {"tsls/internal__Observable.ts", true},
  };
  const bool update = std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr;
  for (const Case& c : cases) {
    CAPTURE(c.capture);
    const std::filesystem::path fixtures(FIXTURES_DIR);
    SymbolRows rows =
        load_rows_with_hovers({c.capture, fixtures / "captures" / (c.capture + ".symbols.json")});
    if (!c.with_hover) rows = made_rows(tree_of(rows));
    const std::string table = write_table(rows);
    const std::filesystem::path golden = fixtures / "tables" / (c.capture + ".golden.txt");
    if (update) {
      std::filesystem::create_directories(golden.parent_path());
      std::ofstream(golden, std::ios::binary) << table;
    }
    CHECK(table == read_file(golden));
  }
}

// Whether the last cell of a line without hover ends in a mark.
bool is_marked(std::string_view line) {
  line = line.substr(0, line.find_last_not_of("0123456789") + 1);
  if (!line.ends_with("\\^")) return false;
  line.remove_suffix(1);
  const std::size_t backslashes = line.size() - (line.find_last_not_of('\\') + 1);
  return backslashes % 2 == 1;
}

TEST_CASE("table: how much the parent rule is needed by real files (the spec's numbers)") {
  std::size_t rows_in_all = 0;
  std::size_t marked = 0;
  std::size_t wrong_if_nearest = 0;
  for (const Capture& capture : captures()) {
    const lsp::SymbolTree tree = load_tree(capture);
    rows_in_all += tree.symbols.size();

    const std::string table = write_table(made_rows(tree));
    for (std::size_t start = 0; start < table.size();) {
      const std::size_t end = std::min(table.find('\n', start), table.size());
      if (is_marked(std::string_view(table).substr(start, end - start))) ++marked;
      start = end + 1;
    }

    std::vector<std::size_t> path;
    const std::vector<std::uint32_t> depths = row_depths(tree);
    for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
      if (depths[row] > 0) {
        const auto parent = static_cast<std::size_t>(tree.symbols[row].parent);
        auto nearest = path.rbegin();
        while (tree.symbols[*nearest].name != tree.symbols[parent].name) ++nearest;
        if (*nearest != parent) ++wrong_if_nearest;
      }
      path.resize(depths[row]);
      path.push_back(row);
    }
  }
  CHECK(rows_in_all == 17230);
  CHECK(marked == 0);
  CHECK(wrong_if_nearest == 138);
}

TEST_CASE("table: the count of marks would see one") {
  CHECK(is_marked("m | 6 | 2:0-5 | 2:0-0 | C\\^0"));
  CHECK(is_marked("m | 6 | 2:0-5 | 2:0-0 | C\\\\\\^12"));
  CHECK(is_marked("m | 6 | 2:0-5 | 2:0-0 | C\\^"));
  CHECK_FALSE(is_marked("m | 6 | 2:0-5 | 2:0-0 | C\\\\^0"));
  CHECK_FALSE(is_marked("m | 6 | 2:0-5 | 2:0-0 | C"));
}

}  // namespace
}  // namespace symbols::table
