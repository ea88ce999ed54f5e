#include "proxy/files/path_list.h"

#include <doctest/doctest.h>

#include <climits>

namespace symbols::files {
namespace {

using Paths = std::vector<std::string>;
using namespace std::string_view_literals;

TEST_CASE("paths by line or by NUL, empty ones skipped") {
  CHECK(*parse_path_list("", PathSeparator::newline, "list") == Paths{});
  CHECK(*parse_path_list("\n\r\n", PathSeparator::newline, "list") == Paths{});
  CHECK(*parse_path_list("a.ts\n\n b c.ts \r\n-x", PathSeparator::newline, "list") ==
        Paths{"a.ts", " b c.ts ", "-x"});
  CHECK(*parse_path_list("a\nb\0\0c\r\0"sv, PathSeparator::nul, "list") == Paths{"a\nb", "c\r"});
  CHECK(parse_path_list(std::string(PATH_MAX - 1, 'x'), PathSeparator::newline, "list")->size() == 1);
}

TEST_CASE("what cannot be a path is told with its line") {
  const auto message = [](std::string_view text, PathSeparator separator) {
    const Result<Paths> paths = parse_path_list(text, separator, "list");
    return paths ? std::string() : paths.error().message;
  };
  CHECK(message("a\n\n-\n", PathSeparator::newline) ==
        "list: line 3 is -, which cannot be standard input here");
  CHECK(message("a\0-"sv, PathSeparator::nul) == "list: path 2 is -, which cannot be standard input here");
  CHECK(message("a\nb\0c"sv, PathSeparator::newline) == "list: line 2 has a NUL byte");
  CHECK(message("a\n" + std::string(PATH_MAX, 'x'), PathSeparator::newline) ==
        "list: line 2 is longer than a path can be, 4095 bytes");
}

}  // namespace
}  // namespace symbols::files
