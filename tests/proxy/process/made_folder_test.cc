#include "proxy/process/made_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace symbols::process {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a made folder is accessible to its maker only, and is removed with all in it") {
  Result<MadeFolder> made = MadeFolder::make();
  REQUIRE(made.has_value());
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
  fs::create_symlink("/", path / "a" / "root");
  fs::permissions(path / "a" / "b", fs::perms::none);
  fs::permissions(path / "a", fs::perms::owner_read | fs::perms::owner_exec);
  folder.reset();
  CHECK_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace symbols::process
