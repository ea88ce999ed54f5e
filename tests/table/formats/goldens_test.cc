// What servers really sent: tables, trees and outlines as they must stay.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "table/formats/format.h"
#include "tests/table/captures.h"

namespace symbols::table {
namespace {

TEST_CASE("formats: goldens") {
  struct Case {
    std::string capture;
    Verbosity table;
    Verbosity tree;
  };
  using enum Verbosity;
  const Case cases[] = {
      {"clangd19/nlohmann__json.hpp", standard, standard},  // deep, many rows share their parent's name
      {"gopls/strings__builder.go", full, full},
      {"ts7/internal__types.ts", standard, minimal},
      {"tsls/internal__Observable.ts", full, full},
  };
  const std::filesystem::path fixtures(FIXTURES_DIR);
  for (const Case& c : cases) {
    const SymbolRows rows =
        load_rows_with_hovers({c.capture, fixtures / "captures" / (c.capture + ".symbols.json")});
    const std::pair<Format, const char*> formats[] = {
        {Format::table, "tables"}, {Format::tree, "trees"}, {Format::outline, "outlines"}};
    for (const auto& [format, folder] : formats) {
      const View view{fields_of(format == Format::table ? c.table : c.tree)};
      const std::string text = render(rows, {.format = format, .view = view}).text;
      const std::filesystem::path golden = fixtures / folder / (c.capture + ".golden.txt");
      if (std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr) {
        std::filesystem::create_directories(golden.parent_path());
        std::ofstream(golden, std::ios::binary) << text;
      }
      CAPTURE(golden.string());
      CHECK(text == read_file(golden));
    }
  }
}

}  // namespace
}  // namespace symbols::table
