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

TEST_CASE("include names: those in a text's include lines") {
  struct Case {
    const char* text;
    std::vector<std::string> names;
  };
  const Case cases[] = {
      {"", {}},
      {"#include \"a.h\"\n", {"\"a.h"}},
      {"\xEF\xBB\xBF#include \"a.h\"\n", {"\"a.h"}},
      {"  #  include\t<sys/b.h> // why\r\n#import \"c.h\"\n#include_next <d.h>",
       {"\"c.h", "<d.h", "<sys/b.h"}},
      {"int a;\n#include<a.h>\n\n#include <a.h>", {"<a.h"}},
      {"#include <a.h> #include <b.h>", {"<a.h"}},
      {"#include MACRO\n#included <a.h>\n#define S #include <a.h>\n#include <a.h\n#include \"\"\n#", {}},
      {"#include <a\n.h>\nx #include <b.h>\n#include \"c.h>", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(include_names(c.text) == c.names);
  }
}

}  // namespace
}  // namespace symbols::files
