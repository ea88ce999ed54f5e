#include "proxy/files/include_names.h"

#include <doctest/doctest.h>

namespace symbols::files {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("include names: those in a text's include lines") {
  struct Case {
    const char* text;
    Words names;
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
