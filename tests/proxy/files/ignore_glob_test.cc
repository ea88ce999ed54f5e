#include "proxy/files/ignore_glob.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::files {
namespace {

// Every row says what git 2.39 says of the pattern, after a `/`, in a .gitignore; but for `foo**/bar`, where
// that version takes the stars for folders, against gitignore(5), and later ones do not.
struct Case {
  const char* pattern;
  const char* path;
  bool matches;
};

template <std::size_t size>
void check(const Case (&cases)[size]) {
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    CAPTURE(c.path);
    CHECK(ignore_glob_matches(c.pattern, c.path) == c.matches);
  }
}

TEST_CASE("ignore glob: plain text") {
  check({{"a", "a", true},
         {"a", "b", false},
         {"a", "A", false},
         {"a", "ab", false},
         {"ab", "a", false},
         {"a/b", "a/b", true},
         {"a/b", "a/b/c", false},
         {"é", "é", true},
         {"a ", "a", false},
         {"a.c", "abc", false}});
}

TEST_CASE("ignore glob: one character") {
  check({{"?", "a", true},
         {"?", "ab", false},
         {"a?c", "abc", true},
         {"a?c", "a/c", false},
         {"??", "é", true},  // bytes, as in git
         {"?", "é", false}});
}

TEST_CASE("ignore glob: stars") {
  check({{"*", "a", true},
         {"*", "a/b", false},
         {"*.o", ".o", true},
         {"*.o", "a.o", true},
         {"*.o", "a.ob", false},
         {"*.o", "a/b.o", false},
         {"a*b*c", "abbc", true},
         {"a*b*c", "acb", false},
         {"a*b*c", "a1b2b3c", true},
         {"a/*/c", "a/b/c", true},
         {"a/*/c", "a/c", false},
         {"a/*/c", "a/b/b/c", false},
         {"a/*", "a/b", true},
         {"a/*", "a", false},
         {"a/*", "a/b/c", false},
         {"*/*", "a/b", true},
         {"*a/b*", "xa/bx", true},
         {"*a/b*", "xa/x/bx", false},
         {"foo**bar", "foobar", true},
         {"foo**bar", "foo/bar", false},
         {"foo**/bar", "foox/bar", true},
         {"foo**/bar", "foo/x/bar", false},
         {"foo/**bar", "foo/xbar", true},
         {"foo/**bar", "foo/x/bar", false},
         {"foo**/bar", "foobar", false}});
}

TEST_CASE("ignore glob: any number of folders") {
  check({{"**", "a", true},
         {"**", "a/b/c", true},
         {"**/a", "a", true},
         {"**/a", "b/a", true},
         {"**/a", "b/c/a", true},
         {"**/a", "ba", false},
         {"**/a", "a/b", false},
         {"a/**", "a/b", true},
         {"a/**", "a/b/c", true},
         {"a/**", "a", false},
         {"a/**/b", "a/b", true},
         {"a/**/b", "a/x/b", true},
         {"a/**/b", "a/x/y/b", true},
         {"a/**/b", "ab", false},
         {"a/**/b", "a/xb", false},
         {"a/***/b", "a/x/y/b", true},
         {"**/a/**/b", "x/a/a/y/b", true},
         {"**/a/**/b", "x/a/a/y/bb", false},
         {"**/*", "a/b", true},
         {"**/*.c", "a/b/x.c", true},
         {"**/a*c/**/b", "x/abc/b", true},
         {"**/a*c/**/b", "x/ab/c/b", false},
         {"**/**/a", "a", true},
         {"**/a*/*b", "ax/a/xb", true},
         {"**\\/a", "x/a", true},
         {"**\\/a", "a", false}});
}

TEST_CASE("ignore glob: sets") {
  check({{"[ab]", "a", true},         {"[ab]", "c", false},         {"[a-c]x", "bx", true},
         {"[a-c]x", "dx", false},     {"[!a]", "b", true},          {"[!a]", "a", false},
         {"[^a]", "b", true},         {"[]a]", "]", true},          {"[!]a]", "]", false},
         {"[!]a]", "b", true},        {"[a-]", "-", true},          {"[-a]", "-", true},
         {"[a-c-e]", "d", false},     {"[a-c-e]", "-", true},       {"[\\]]", "]", true},
         {"[\\a-c]", "b", true},      {"[a-\\c]", "b", true},       {"[\\\\]", "\\", true},
         {"a[!b]c", "a/c", false},    {"a[/]c", "a/c", false},      {"a[x/y]b", "ayb", true},
         {"[[:alpha:]]", "z", true},  {"[[:alpha:]]", "1", false},  {"[![:alpha:]]", "1", true},
         {"[[:digit:]x]", "x", true}, {"[[:upper:]-z]", "-", true}, {"[[:alpha:]]", "é", false},
         {"[[:x]", "x", true},        {"[[:x]", "[", true},         {"[[a]", "[", true}});
}

TEST_CASE("ignore glob: backslashes and patterns cut short") {
  check({{"\\*", "*", true},
         {"\\*", "a", false},
         {"\\a", "a", true},
         {"\\\\", "\\", true},
         {"a\\/b", "a/b", true},
         {"a\\", "a", false},
         {"a\\", "a\\", false},
         {"[a", "[a", false},
         {"[a", "a", false},
         {"[", "[", false},
         {"[]", "]", false},
         {"[!", "!", false},
         {"[[:foo:]]", "f", false},
         {"[[:foo:]a]", "a", false},
         {"[a-", "a", false},
         {"[\\", "\\", false},
         {"*[", "[", false}});
}

TEST_CASE("ignore glob: a hostile pattern takes no time to speak of") {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "**/*a*[!b]?";
  std::string path;
  for (int i = 0; i < 200; ++i) path += "aaaaaaaaaaaaaaaaaaa/";
  path += "b";
  // Backtracking into every star would never end.
  CHECK_FALSE(ignore_glob_matches(pattern + "c", path));
}

}  // namespace
}  // namespace symbols::files
