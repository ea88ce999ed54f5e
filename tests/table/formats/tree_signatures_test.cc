#include <doctest/doctest.h>

#include <string>

#include "table/formats/codecs.h"
#include "table/formats/format.h"
#include "tests/table/made_row.h"

namespace symbols::table {
namespace {

lsp::DocumentSymbol symbol(std::string name, std::int64_t kind, std::uint32_t first, std::uint32_t last,
                           std::int32_t parent = -1, std::string detail = {}) {
  lsp::DocumentSymbol made;
  made.name = std::move(name);
  made.detail = std::move(detail);
  made.kind = kind;
  made.range = {{first, 0}, {last, 1}};
  made.selection_range = made.range;
  made.parent = parent;
  return made;
}

const SymbolRows rows =
    made_rows({{symbol("Rectangle", 5, 27, 50), symbol("name", 7, 28, 28, 0), symbol("count", 7, 29, 29, 0),
                symbol("scale", 6, 40, 42, 0), symbol("factor", 13, 40, 40, 3), symbol("a\nb", 12, 60, 60)}},
              {},
              {{"class Rectangle", ""},
               {"(property) Rectangle.name: string", "Its name."},
               {"(property) Rectangle.count: number", ""},
               {"(method) Rectangle.scale(factor: number): Rectangle", ""},
               {"(parameter) factor: number", ""},
               {"", ""}});

TEST_CASE("tree of signatures: the example of the spec, and what is inside a function") {
  CHECK(write_tree_signatures(rows, {}) ==
        "# signatures\nc28-51 Rectangle\n p29 name: string; count: number\n m41 scale(factor: number): "
        "Rectangle\n"
        "  v41 factor\nf61 a\\nb");
  CHECK(write_tree_signatures(rows, {.fields = {}, .kind_names = true, .all_ends = true})
            .find("\n Method41-43 scale(factor: number)") != std::string::npos);
  CHECK(write_tree_signatures({}, {}) == "");

  SymbolRows folded = rows;
  folded.all[3].folded.inside = 7;
  CHECK(write_tree_signatures(folded, {}).find("Rectangle +7\n") != std::string::npos);
}

TEST_CASE("tree of signatures: what shares a row") {
  const SymbolRows detailed =
      made_rows({{symbol("a", 8, 3, 3, -1, "int"), symbol("b", 8, 3, 3, -1, "int"),
                  symbol("c", 8, 4, 4, -1, "T"), symbol("d", 8, 6, 6), symbol("e", 7, 7, 7),
                  symbol("f", 7, 8, 30), symbol("g", 7, 31, 31), symbol("f", 12, 40, 40, -1, "func()")}});
  CHECK(write_tree_signatures(detailed, {}) ==
        "# signatures\nF4 a: int, b: int; c: T\nF7 d\np8 e\np9-31 f\np32 g\nf41 f()");
}

TEST_CASE("tree of signatures: out of details, where these hold them") {
  const SymbolRows detailed =
      made_rows({{symbol("Grow", 6, 1, 2, -1, "func(n int)"), symbol("x", 8, 3, 3, -1, "int")}});
  CHECK(write_tree_signatures(detailed, {}) == "# signatures\nm2 Grow(n int)\nF4 x: int");
}

}  // namespace
}  // namespace symbols::table
