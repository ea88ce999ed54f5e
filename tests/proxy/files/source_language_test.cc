#include "proxy/files/source_language.h"

#include <doctest/doctest.h>

namespace symbols::files {
namespace {

TEST_CASE("the language of a source is that of the end of its path") {
  struct Case {
    const char* path;
    Language language;
  };
  const Case cases[] = {{"src/a.d.ts", Language::script},
                        {"a.h", Language::c_header},
                        {"a.c++", Language::c_source},
                        {"a.H", Language::c_header},
                        {"a.C", Language::c_source},
                        {"a.def", Language::c_header},
                        {"a.py", Language::python},
                        {"a.b/Makefile", Language::other},
                        {"ts", Language::other},
                        {"a.", Language::other},
                        {"", Language::other}};
  for (const Case& c : cases) {
    CAPTURE(c.path);
    CHECK(language_of(c.path) == c.language);
  }
}

}  // namespace
}  // namespace symbols::files
