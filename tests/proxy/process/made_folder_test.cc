#include "proxy/process/made_folder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

namespace symbols::process {
namespace made_folder_test {

namespace fs = std::filesystem;

TEST_CASE("a made folder is accessible to its maker only, and is removed with all in it and nothing else") {
  Result<MadeFolder> outside = MadeFolder::make(), made = MadeFolder::make();
  REQUIRE((outside.has_value() && made.has_value()));
  const std::string kept = outside->path() + "/kept";
  std::ofstream(kept) << "text";
  std::optional<MadeFolder> folder(std::move(*made));
  const fs::path path = folder->path();
  CHECK(path.is_absolute());
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  const std::vector<std::string> environment = folder->environment();
  CHECK(std::ranges::count(environment, "TMPDIR=" + path.string()) == 1);
  CHECK(std::ranges::none_of(environment, [](const auto& entry) { return entry.starts_with("HOME="); }));

  // Like go's module cache: nothing in it can be removed before the folder is made writable.
  fs::create_directories(path / "a" / "b");
  std::ofstream(path / "a" / "b" / "c") << "text";
  fs::create_directory_symlink(outside->path(), path / "a" / "link");
  fs::permissions(path / "a" / "b", fs::perms::none);
  fs::permissions(path / "a", fs::perms::owner_read | fs::perms::owner_exec);
  // Deeper than a path of 4,096 bytes allows.
  int at = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (int depth = 0; depth < 450; ++depth) {
    const std::string name(10, 'd');
    REQUIRE(::mkdirat(at, name.c_str(), 0700) == 0);
    REQUIRE(::mkdirat(at, "beside", 0) == 0);
    REQUIRE(::symlinkat(outside->path().c_str(), at, "link") == 0);
    const int next = ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    ::close(at);
    at = next;
  }
  ::close(at);
  folder.reset();
  CHECK_FALSE(fs::exists(path));
  CHECK(fs::exists(kept));
}

TEST_CASE("a folder that cannot be removed is reported") {
  CHECK(remove_folder("/nonexistent"));
  CHECK_FALSE(remove_folder("/proc/self/fdinfo"));
  CHECK((errno == EPERM || errno == EACCES));
}

}  // namespace made_folder_test
}  // namespace symbols::process
