// The commands of a CMakeLists.txt, and which of them run.
#include "proxy/servers/cmake_text.h"

#include <doctest/doctest.h>

namespace symbols::servers {
namespace {

TEST_CASE("cmake text: commands and their arguments") {
  using Commands = std::vector<CmakeCommand>;
  struct Case {
    const char* text;
    Commands expected;
  };
  const Case cases[] = {
      {"", {}},
      {"project(a)\n", {{"project", {"a"}}}},
      {"SET (X\n  \"a b\"  c;d) # why (\n#[[ a\n set(Y) ]]\nset(Z)",
       {{"set", {"X", "a b", "c", "d"}}, {"set", {"Z"}}}},
      {"if(NOT (A AND B))", {{"if", {"NOT", "(", "A", "AND", "B", ")"}}}},
      {"a(\"\\\"q\\\"\" [[x y]])", {{"a", {"\"q\"", "x y"}}}},
      {"a(1)\nb(", {{"a", {"1"}}}},
      {"a(1)\n] b(2)", {{"a", {"1"}}}},
      {"a(\"no end)", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(cmake_commands(c.text) == c.expected);
  }
}

// The words of the calls to `x`, each followed by `?` if it only may run.
std::string run(std::string_view text) {
  CmakeReader reader;
  std::string ran;
  reader.read(text, [&](const CmakeCommand& command, bool runs) {
    if (command.name != "x") return;
    for (const std::string& argument : command.arguments) ran += argument;
    if (!runs) ran += '?';
    ran += ' ';
  });
  return ran;
}

TEST_CASE("cmake text: what runs, and what may") {
  struct Case {
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      {"x(a)", "a "},
      {"if(WIN32)\nx(a)\nelse()\nx(b)\nendif()\nx(c)", "b c "},
      {"if(NOT WIN32)\nx(a)\nendif()", "a "},
      {"if(MSVC AND UNKNOWN)\nx(a)\nelseif(UNIX)\nx(b)\nelse()\nx(c)\nendif()", "b "},
      {"if(UNKNOWN)\nx(a)\nelse()\nx(b)\nendif()", "a? b? "},
      {"if(WIN32 OR UNIX)\nx(a)\nendif()", "a? "},
      {"if(CMAKE_SYSTEM_NAME STREQUAL Windows)\nx(a)\nendif()", "a? "},
      {"option(BUILD \"what\" OFF)\nif(BUILD)\nx(a)\nelse()\nx(b)\nendif()", "b "},
      {"if(WIN32)\nif(UNIX)\nx(a)\nendif()\nendif()", ""},
      {"function(f)\nx(a)\nendfunction()\nx(b)", "a? b "},
      {"set(V 1)\nx(p${V}q)\nx(${UNKNOWN})\nx(r)", "p1q  r "},
      {"if(WIN32)\nset(V w)\nelse()\nset(V u)\nendif()\nx(${V})", "u "},
      {"endif()\nx(a)", "a "},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(run(c.text) == c.expected);
  }
}

TEST_CASE("cmake text: a variable that grows, and blocks in blocks, cost no more than their text") {
  std::string doubling = "set(V 0123456789)\n";
  for (int i = 0; i < 100; ++i) doubling += "set(V ${V}${V})\n";
  CHECK(run(doubling + "x(a)").ends_with("a "));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "if(UNIX)\n";
  CHECK(run(deep + "x(a)") == "a ");
}

}  // namespace
}  // namespace symbols::servers
