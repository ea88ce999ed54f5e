#include "proxy/files/content_hash.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace {

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

}  // namespace
}  // namespace symbols::files
