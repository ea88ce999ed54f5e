#include "proxy/files/ignore_rules.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace ignore_rules_test {

using namespace std::string_view_literals;

// What git 2.39 says of a pattern, after a `/`, in a .gitignore, and a path; but for `foo**/bar`, where that
// version takes the stars for folders, against gitignore(5), and later ones do not. `?` is a byte, as in git.
TEST_CASE("ignore glob: which paths a pattern matches") {
  constexpr std::string_view matching =
      "a|a a/b|a/b é|é ?|a a?c|abc ??|é *|a *.o|.o *.o|a.o a*b*c|abbc a*b*c|a1b2b3c a/*/c|a/b/c a/*|a/b "
      "*/*|a/b *a/b*|xa/bx foo**bar|foobar foo**/bar|foox/bar foo/**bar|foo/xbar **|a **|a/b/c **/a|a "
      "**/a|b/a **/a|b/c/a a/**|a/b a/**|a/b/c a/**/b|a/b a/**/b|a/x/b a/**/b|a/x/y/b a/***/b|a/x/y/b "
      "**/a/**/b|x/a/a/y/b **/*|a/b **/*.c|a/b/x.c **/a*c/**/b|x/abc/b **/**/a|a **/a*/*b|ax/a/xb "
      "**\\/a|x/a [ab]|a [a-c]x|bx [!a]|b [^a]|b []a]|] [!]a]|b [a-]|- [-a]|- [a-c-e]|- [\\]]|] [\\a-c]|b "
      "[a-\\c]|b [\\\\]|\\ a[x/y]b|ayb [[:alpha:]]|z [![:alpha:]]|1 [[:digit:]x]|x [[:upper:]-z]|- "
      "[[:x]|x [[:x]|[ [[a]|[ \\*|* \\a|a \\\\|\\ a\\/b|a/b";
  constexpr std::string_view others =
      "a|b a|A a|ab ab|a a/b|a/b/c a.c|abc ?|ab a?c|a/c ?|é *|a/b *.o|a.ob *.o|a/b.o a*b*c|acb a/*/c|a/c "
      "a/*/c|a/b/b/c a/*|a a/*|a/b/c *a/b*|xa/x/bx foo**bar|foo/bar foo**/bar|foo/x/bar "
      "foo/**bar|foo/x/bar foo**/bar|foobar **/a|ba **/a|a/b a/**|a a/**/b|ab a/**/b|a/xb "
      "**/a/**/b|x/a/a/y/bb **/a*c/**/b|x/ab/c/b **\\/a|a [ab]|c [a-c]x|dx [!a]|a [!]a]|] [a-c-e]|d "
      "a[!b]c|a/c a[/]c|a/c [[:alpha:]]|1 [[:alpha:]]|é \\*|a a\\|a a\\|a\\ [a|[a [a|a [|[ []|] [!|! "
      "[[:foo:]]|f [[:foo:]a]|a [a-|a [\\|\\ *[|[";
  const auto matches = [](std::string_view both) {
    const std::size_t bar = both.find('|');
    const IgnoreRules rules("/" + std::string(both.substr(0, bar)));
    return rules.verdict(both.substr(bar + 1), false) == IgnoreVerdict::ignored;
  };
  for (const std::string_view each : split(matching, ' ')) CHECK_MESSAGE(matches(each), each);
  for (const std::string_view each : split(others, ' ')) CHECK_FALSE_MESSAGE(matches(each), each);
}

TEST_CASE("ignore glob: a hostile pattern takes no time to speak of") {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "**/*a*[!b]?";
  std::string path;
  for (int i = 0; i < 200; ++i) path += "aaaaaaaaaaaaaaaaaaa/";
  path += "b";
  // Backtracking into every star would never end.
  CHECK(IgnoreRules("/" + pattern + "c").verdict(path, false) == IgnoreVerdict::unmatched);
}

constexpr IgnoreVerdict unmatched = IgnoreVerdict::unmatched;
constexpr IgnoreVerdict ignored = IgnoreVerdict::ignored;
constexpr IgnoreVerdict included = IgnoreVerdict::included;

TEST_CASE("ignore rules: what the last matching line says") {
  struct Case {
    std::string_view rules;
    std::string_view path;  // a folder where it ends in `/`
    IgnoreVerdict verdict;
  };
  const Case cases[] = {
      {"", "a", unmatched},
      {"a", "a", ignored},
      {"a\n", "a", ignored},
      {"a\n", "x/y/a", ignored},
      {"a\n", "a/", ignored},
      {"a\n", "a/b", unmatched},
      {"/a\n", "a", ignored},
      {"/a\n", "x/a", unmatched},
      {"x/a\n", "x/a", ignored},
      {"x/a\n", "y/x/a", unmatched},
      {"a/\n", "a", unmatched},
      {"a/\n", "a/", ignored},
      {"a/\n", "x/a/", ignored},
      {"x/a/\n", "y/x/a/", unmatched},
      {"/\n", "a/", unmatched},
      {"//a\n", "a", unmatched},
      {"a//\n", "a/", unmatched},
      {"*.o\n!keep.o\n", "x/y.o", ignored},
      {"*.o\n!keep.o\n", "x/keep.o", included},
      {"!keep.o\n*.o\n", "keep.o", ignored},
      {"!a\n", "a", included},
      {"!\n", "!", unmatched},
      {"# a\n", "# a", unmatched},
      {"#a\na\n", "a", ignored},
      {"\\#a\n", "#a", ignored},
      {"\\!a\n", "!a", ignored},
      {" a\n", "a", unmatched},
      {" a\n", " a", ignored},
      {" #a\n", " #a", ignored},
      {"a  \n", "a", ignored},
      {"a \t\n", "a", unmatched},
      {"a\\ \n", "a ", ignored},
      {"a\\  \n", "a ", ignored},
      {"a b\n", "a b", ignored},
      {"a\\\\ \n", "a\\", ignored},
      {"a/ \n", "a/", ignored},
      {"a\r\nb\r\n", "a", ignored},
      {"a\r\nb\r\n", "b", ignored},
      {"a \r\n", "a", ignored},
      {"a\rb\n", "b", unmatched},
      {"\r\n\n\n  \na\n", "a", ignored},
      {"\uFEFFa\n", "a", ignored},
      {"a\0b\n"sv, "a", ignored},
      {"\xFF\n", "\xFF", ignored},
      {"a\nb", "b", ignored},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rules);
    CAPTURE(c.path);
    const bool is_folder = c.path.ends_with('/');
    CHECK(IgnoreRules(c.rules).verdict(c.path.substr(0, c.path.size() - is_folder), is_folder) == c.verdict);
  }
}

TEST_CASE("ignore rules: a pattern longer than any path is passed over") {
  CHECK(IgnoreRules(std::string(4097, '*')).empty());
  CHECK(IgnoreRules(std::string(4097, '*') + "\na\n").verdict("a", false) == ignored);
}

TEST_CASE("ignore rules: too many changes between rules and exceptions are an error") {
  std::string rules;
  for (int i = 0; i < 500; ++i) rules += "a\n!b\n";
  CHECK(IgnoreRules(rules).is_whole());
  rules += "a\n";
  CHECK_FALSE(IgnoreRules(rules).is_whole());
  const TemporaryFolder folder;
  folder.write("rules", rules);
  CHECK(read_ignore_file(folder.path("rules")).has_error());
}

TEST_CASE("ignore rules: only a regular file of bounded size is honoured") {
  const TemporaryFolder folder;
  CHECK(read_ignore_file(folder.path("none"))->empty());
  CHECK(read_ignore_file(folder.path("none/none"))->empty());
  CHECK(read_ignore_file(folder.write("rules", "a\n"))->verdict("a", false) == ignored);
  CHECK(read_ignore_file(folder.path("rules/none"))->empty());

  folder.make_folder("folder");
  folder.make_fifo("fifo");
  folder.link("link", "rules");
  folder.link("dangling", "none");
  std::filesystem::resize_file(folder.write("largest"), max_ignore_file_bytes);
  std::filesystem::resize_file(folder.write("large"), max_ignore_file_bytes + 1);
  for (const char* const name : {"folder", "fifo", "link", "dangling", "large"}) {
    CAPTURE(name);
    const Result<IgnoreRules> rules = read_ignore_file(folder.path(name));
    REQUIRE_FALSE(rules.has_value());
    CHECK(rules.error().message.starts_with("cannot read " + folder.path(name) + ": it "));
  }
  CHECK(read_ignore_file(folder.path("largest")).has_value());
}

TEST_CASE("ignored paths: patterns hold below their folder, at any depth, and add up") {
  IgnoredPaths paths;
  CHECK(paths.empty());
  paths.add("/p", {"/vendor/", "*.min.js", "!keep.min.js"});
  paths.add("/p/sub", {"only-here.c"});
  paths.add("/p", {"/vendor/", "*.min.js", "!keep.min.js"});
  struct Case {
    const char* path;
    bool left_out;
  };
  const Case cases[] = {
      {"/p/a.c", false},         {"/p/vendor/a.c", true},         {"/p/sub/vendor/a.c", false},
      {"/p/x/y/b.min.js", true}, {"/p/x/keep.min.js", false},     {"/p/sub/only-here.c", true},
      {"/p/only-here.c", false}, {"/q/vendor/a.c", false},        {"/pq/b.min.js", false},
      {"/p/vendor", false},      {"/p/vendor/keep.min.js", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    CHECK(paths.leaves_out(c.path) == c.left_out);
  }
  CHECK(paths.ignores("/p/vendor", true));
  CHECK(!paths.ignores("/p/vendor/a.c", false));
  IgnoredPaths others;
  others.add(paths);
  CHECK(others.leaves_out("/p/sub/only-here.c"));
  CHECK(!IgnoredPaths().leaves_out("/p/a.c"));
}

}  // namespace ignore_rules_test
}  // namespace symbols::files
