#include "proxy/files/content_hash.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace content_hash_test {

TEST_CASE("files: the hash of a file is that of its bytes") {
  TemporaryFolder folder;
  for (const std::size_t size : {0, 1, 65536, 65537, 300'000}) {
    std::string bytes(size, 'x');
    if (size > 1) bytes[size / 2] = '\0';
    CHECK(hash_of_file(folder.write("a", bytes)) == hash_of(bytes));
    CHECK(hash_of_file(folder.path("a"), size) == hash_of(bytes));
    if (size > 0) CHECK(hash_of_file(folder.path("a"), size - 1) == std::nullopt);
  }
  CHECK(hash_of_file(folder.path("none")) == std::nullopt);
  CHECK(hash_of_file(folder.path("")) == std::nullopt);
}

TEST_CASE("files: the hash of parts tells their bounds, and not where the root is") {
  CHECK(PartsHash().add("ab").add("c").value() != PartsHash().add("a").add("bc").value());
  const auto hash = [](const std::string& root, const std::string& part) {
    return PartsHash(root).add(part).value();
  };
  CHECK(hash("/a/b", "-I/a/b/c:/a/b") == hash("/other", "-I/other/c:/other"));
  CHECK(hash("/a/b", "/a/b/c") != hash("/a/b", "/c"));
  CHECK(hash("/a/b", "/x") == hash("", "/x"));
  CHECK(hash("/", "/x") == hash("", "/x"));
}

TEST_CASE("files: when an equal stamp says nothing") {
  constexpr std::int64_t second = 1'000'000'000;
  struct Case {
    std::string what;
    std::int64_t modified;
    std::int64_t changed;
    bool unseen;
  };
  const Case cases[] = {
      {"old", 1 * second, 2 * second, false},
      {"just written", 100 * second, 100 * second, true},
      {"written within the longest tick", 99 * second, 99 * second, true},
      {"written before it", 97 * second, 97 * second, false},
      {"written just now, dated back", 1 * second, 100 * second, true},
      {"dated into the future", 200 * second, 1 * second, true},
      {"a clock that is ahead", 200 * second, 200 * second, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    FileStamp stamp;
    stamp.modified = c.modified;
    stamp.changed = c.changed;
    CHECK(stamp.may_change_unseen(100 * second) == c.unseen);
  }
}

}  // namespace content_hash_test
}  // namespace symbols::files
