#include "lsp/uri.h"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

namespace uri_test {
using namespace symbols::lsp;

TEST_CASE("file URIs and paths, both ways") {
  const std::pair<std::string, const char*> cases[] = {
      {"/a/b.ts", "file:///a/b.ts"},
      {"/a b/c%d#e?f.ts", "file:///a%20b/c%25d%23e%3Ff.ts"},
      {"/\xC3\xA9/\xE6\x97\xA5.py", "file:///%C3%A9/%E6%97%A5.py"},
      {"/x\xFFy", "file:///x%FFy"},  // a name need not be UTF-8
      {"/a:b/c\\d\n", "file:///a%3Ab/c%5Cd%0A"},
      {"/tilde~-._", "file:///tilde~-._"},
      {"/", "file:///"},
  };
  for (const auto& [path, uri] : cases) {
    CHECK(file_uri(path) == uri);
    CHECK(file_path(uri) == path);
  }
}

// Found by the fuzz target uri: only the escaped one was refused.
TEST_CASE("a URI with a NUL byte has no path") {
  using namespace std::string_literals;
  CHECK(file_path("file:///a\0b"s) == std::nullopt);
  CHECK(file_path("file://h\0st/a"s) == std::nullopt);
  CHECK(file_path("file:///a%00b") == std::nullopt);
}

TEST_CASE("URIs in others' spellings") {
  const std::pair<const char*, std::optional<std::string>> cases[] = {
      {"file:/a/b", "/a/b"},
      {"FILE:///a", "/a"},
      {"file://localhost/a", "/a"},
      {"file://host/share/f", "//host/share/f"},
      {"file:///c%3A/a", "/c:/a"},
      {"file:///a?query#fragment", "/a"},
      {"file:///a%2fb", "/a/b"},
      {"file:///a%2", {}},
      {"file:///a%zz", {}},
      {"file:///a%00b", {}},
      {"https://a/b", {}},
      {"untitled:Untitled-1", {}},
      {"", {}},
  };
  for (const auto& [uri, path] : cases) {
    CAPTURE(uri);
    CHECK(file_path(uri) == path);
  }
}

}  // namespace uri_test
