// Edits as a unified diff; tests/e2e/rename.test.mjs has git apply such.
#include "table/unified_diff.h"

#include <doctest/doctest.h>

#include <string>

namespace symbols::table {
namespace unified_diff_test {

std::string diff(const std::string& before, const std::vector<Replacement>& replacements,
                 const std::string& name = "a.x") {
  std::string out;
  append_unified_diff(out, name, before, replacements);
  return out;
}

TEST_CASE("unified diff: edits of a line, three lines around them") {
  CHECK(diff("1\n2\n3\n4\nfive five\n6\n7\n8\n9\n", {{8, 12, "5"}, {13, 17, "5"}}) == R"(--- a/a.x
+++ b/a.x
@@ -2,7 +2,7 @@
 2
 3
 4
-five five
+5 5
 6
 7
 8
)");
}

TEST_CASE("unified diff: what is near is one hunk, what is far another, whose lines are counted on") {
  std::string before;
  for (int i = 1; i <= 20; ++i) before += "x\n";
  const std::string near = diff(before, {{0, 1, "y"}, {14, 15, "y"}});  // lines 1 and 8
  CHECK(near.find("@@ -1,11 +1,11 @@") != near.npos);
  CHECK(near.find("@@", near.find("@@ -1") + 17) == near.npos);
  const std::string far = diff(before, {{0, 1, "y\nz"}, {16, 17, "y"}});  // lines 1 and 9
  CHECK(far.find("@@ -1,4 +1,5 @@\n-x\n+y\n+z\n x\n x\n x\n@@ -6,7 +7,7 @@\n x\n") != far.npos);
}

TEST_CASE("unified diff: the end of a text, with and without a line end, and an empty one") {
  CHECK(diff("a", {{0, 1, "b"}}) ==
        "--- a/a.x\n+++ b/a.x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n"
        "\\ No newline at end of file\n");
  CHECK(diff("a\r\nb\r\n", {{3, 4, "c"}}) == "--- a/a.x\n+++ b/a.x\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  CHECK(diff("", {{0, 0, "new\n"}}) == "--- a/a.x\n+++ b/a.x\n@@ -0,0 +1,1 @@\n+new\n");
  CHECK(diff("a\nb\n", {{0, 2, ""}}) == "--- a/a.x\n+++ b/a.x\n@@ -1,2 +1,1 @@\n-a\n-b\n+b\n");
}

TEST_CASE("unified diff: nothing where nothing changes, and names that git would misread") {
  CHECK(diff("a\nb\n", {}).empty());
  CHECK(diff("a\nb\n", {{0, 1, "a"}}).empty());
  CHECK(diff("a\n", {{0, 1, "b"}}, "my file.x").starts_with("--- a/my file.x\t\n+++ b/my file.x\t\n@@"));
  CHECK(diff("a\n", {{0, 1, "b"}}, "q\"\n").starts_with("--- \"a/q\\042\\012\"\n+++ \"b/q\\042\\012\"\n@@"));
}

}  // namespace unified_diff_test
}  // namespace symbols::table
