#include "proxy/files/include_names.h"

#include <doctest/doctest.h>

namespace symbols::files {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("include names: those in a text's include lines") {
  CHECK(include_names("#include \"a.h\"\n") == Words{"\"a.h"});
  CHECK(include_names("  #  include\t<sys/b.h> // why\r\n#import \"c.h\"\n#include_next <d.h>") ==
        Words{"\"c.h", "<d.h", "<sys/b.h"});
  CHECK(include_names("/* x */ #include <a.h>\n#include <a.h>") == Words{"<a.h"});
  CHECK(include_names(
            "#include MACRO\n#included <a.h>\n#define S #include <a.h>\n#include <a.h\n#include \"\"\n#")
            .empty());
  CHECK(include_names("").empty());
}

TEST_CASE(
    "include names: lines after a byte order mark, with comments inside, over two lines, as a digraph") {
  CHECK(include_names("\xEF\xBB\xBF#include \"a.h\"\n") == Words{"\"a.h"});
  CHECK(
      include_names("#/* why */include /* this */ <a.h>\n# \\\n include \\\r\n \"b.h\"\n%:include <c.h>\n") ==
      Words{"\"b.h", "<a.h", "<c.h"});
  CHECK(include_names("#include <a\n.h>\n5 %:include <b.h>\n#/* no end include <c.h>\n").empty());
}

}  // namespace
}  // namespace symbols::files
