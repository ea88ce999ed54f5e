#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "proxy/setup/setup_plan.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::setup {
namespace replace_file_test {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

Result<fs::path> replace(const fs::path& path, std::string_view text) {
  const Result<FileState> file = look_at_file(path);
  if (!file) return file.error();
  return replace_file(*file, text);
}

TEST_CASE("a file that does not exist is made with its folders, without a backup") {
  const TemporaryFolder folder;
  const fs::path path = folder.path("a/b/c.json");
  const Result<fs::path> backup = replace(path, "new");
  REQUIRE(backup.has_value());
  CHECK(backup->empty());
  CHECK(content(path) == "new");
  CHECK(count_in(folder.path("a/b")) == 1);
}

TEST_CASE("an existing file keeps its mode, and its last text in a backup") {
  TemporaryFolder folder;
  folder.write("c.json", "one");
  const fs::path path = folder.path("c.json");
  ::chmod(path.c_str(), 0640);
  const Result<fs::path> first = replace(path, "two");
  REQUIRE(first.has_value());
  CHECK(first->filename() == "c.json.symbols-backup");
  CHECK(content(*first) == "one");
  CHECK(*replace(path, "three") == *first);
  CHECK(content(path) == "three");
  CHECK(content(*first) == "two");
  for (const fs::path& file : {path, *first}) {
    struct stat status {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
  }
  CHECK(count_in(folder.path("")) == 2);
}

TEST_CASE("a file of more than 16 MiB is not read, so that it is not replaced") {
  TemporaryFolder folder;
  const std::string path = folder.write("c.json", "{}");
  fs::resize_file(path, std::uintmax_t{16} << 20);
  CHECK(look_at_file(path).has_value());
  fs::resize_file(path, (std::uintmax_t{16} << 20) + 1);
  const Result<FileState> file = look_at_file(path);
  REQUIRE(!file);
  CHECK(file.error().message == "cannot read " + path + ": it has 16.0 MiB, the limit is 16.0 MiB");
}

TEST_CASE("a symbolic link stays one, and what it leads to is replaced") {
  TemporaryFolder folder;
  folder.make_folder("dotfiles");
  folder.write("dotfiles/real", "one");
  fs::create_symlink("dotfiles/real", folder.path("link"));
  const Result<fs::path> backup = replace(folder.path("link"), "two");
  REQUIRE(backup.has_value());
  CHECK(backup->parent_path().filename() == "dotfiles");
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(content(folder.path("dotfiles/real")) == "two");

  fs::create_symlink("nowhere", folder.path("dangling"));
  CHECK(!look_at_file(folder.path("dangling")));
  fs::create_symlink("loop", folder.path("loop"));
  CHECK(!look_at_file(folder.path("loop")));
}

TEST_CASE("only a regular file that is writable and has one name may be replaced") {
  TemporaryFolder folder;
  CHECK(!look_at_file(folder.path("")));
  folder.write("protected", "one");
  ::chmod(folder.path("protected").c_str(), 0444);
  const Result<void> refused = check_replaceable(*look_at_file(folder.path("protected")));
  REQUIRE(!refused);
  CHECK(refused.error().message.ends_with("it is write-protected"));

  folder.write("name", "one");
  CHECK(check_replaceable(*look_at_file(folder.path("name"))).has_value());
  fs::create_hard_link(folder.path("name"), folder.path("other-name"));
  CHECK(!check_replaceable(*look_at_file(folder.path("name"))));
}

TEST_CASE("a file that was changed, made or taken away meanwhile is left alone") {
  TemporaryFolder folder;
  folder.write("there", "one");
  const Result<FileState> there = look_at_file(folder.path("there"));
  const Result<FileState> absent = look_at_file(folder.path("absent"));
  REQUIRE((there && absent));
  folder.write("there", "changed by somebody else");
  folder.write("absent", "made by somebody else");
  CHECK(!replace_file(*there, "two"));
  CHECK(!replace_file(*absent, "two"));
  CHECK(content(folder.path("there")) == "changed by somebody else");
  CHECK(content(folder.path("absent")) == "made by somebody else");
  fs::remove(folder.path("there"));
  CHECK(!replace_file(*there, "two"));
  CHECK(count_in(folder.path("")) == 1);
}

TEST_CASE("a symbolic link that was led elsewhere meanwhile is left alone") {
  TemporaryFolder folder;
  folder.write("first", "one");
  folder.write("second", "two");
  folder.link("link", "first");
  const Result<FileState> file = look_at_file(folder.path("link"));
  REQUIRE(file.has_value());
  fs::remove(folder.path("link"));
  folder.link("link", "second");
  CHECK(!replace_file(*file, "ours"));
  CHECK(content(folder.path("first")) == "one");
  CHECK(content(folder.path("second")) == "two");
  CHECK(count_in(folder.path("")) == 3);
}

}  // namespace replace_file_test
}  // namespace symbols::setup
