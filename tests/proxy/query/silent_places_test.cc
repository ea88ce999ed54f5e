#include "proxy/query/silent_places.h"

#include <doctest/doctest.h>

using namespace symbols;
using namespace symbols::query;

namespace {

using Places = std::vector<HoverPlace>;
using Rule = table::Levels::Rule;

const table::Selection everything{};
const Places two{{{1, 2}, "f"}, {{3, 4}, "g"}};

}  // namespace

TEST_CASE("silent places: those of the document, until the workspace changes") {
  SilentPlaces silent;
  silent.note("a", everything, two);
  silent.note("b", everything, {{{5, 6}, "h"}});
  CHECK(silent.find("a", everything) == two);
  CHECK(silent.find("b", everything) == Places{{{5, 6}, "h"}});
  CHECK(silent.find("c", everything).empty());
  silent.note("a", everything, {two[1]});
  CHECK(silent.find("a", everything) == Places{two[1]});
  silent.note("a", everything, {});
  CHECK(silent.find("a", everything).empty());
  silent.forget();
  CHECK(silent.find("b", everything).empty());
}

TEST_CASE("silent places: only for the same symbols, in whatever order") {
  const auto pattern = table::Pattern::compile("match", "f");
  struct Case {
    const char* what;
    table::Selection selection;
    bool same;
  };
  const table::Selection noted{
      .kinds = {5, 12}, .match = {}, .levels = {.rule = Rule::top_level}, .sort = {}};
  SilentPlaces silent;
  silent.note("a", noted, two);
  for (const Case& one : {
           Case{"the same", noted, true},
           Case{"sorted", {noted.kinds, {}, noted.levels, {{table::Field::name, true}}}, true},
           Case{"all levels", {noted.kinds, {}, {.rule = Rule::all}, {}}, false},
           Case{"other kinds", {{5}, {}, noted.levels, {}}, false},
           Case{"a pattern", {noted.kinds, *pattern, noted.levels, {}}, false},
       }) {
    CAPTURE(one.what);
    CHECK(silent.find("a", one.selection).empty() != one.same);
  }
}

TEST_CASE("silent places: bounded") {
  SilentPlaces silent;
  silent.note("a", everything, {{{1, 2}, std::string(SilentPlaces::longest_name + 1, 'f')}, two[1]});
  CHECK(silent.find("a", everything) == Places{two[1]});
  silent.note("a", everything, Places(SilentPlaces::most_places + 1, two[0]));
  CHECK(silent.find("a", everything).size() == SilentPlaces::most_places);
  for (std::size_t i = 1; i < SilentPlaces::most_documents; ++i)
    silent.note(std::to_string(i), everything, two);
  CHECK_FALSE(silent.find("a", everything).empty());
  silent.note("one more", everything, two);
  CHECK(silent.find("a", everything).empty());
  CHECK(silent.find("1", everything) == two);
}
