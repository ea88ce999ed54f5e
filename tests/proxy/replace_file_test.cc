#include "proxy/replace_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "tests/proxy/temporary_folder.h"

namespace symbols::proxy {
namespace {

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

TEST_CASE("a file that is not there is made with its folders, and nothing is kept") {
  const TemporaryFolder folder;
  const fs::path path = folder.path("a/b/c.json");
  const Result<fs::path> backup = replace(path, "new");
  REQUIRE(backup.has_value());
  CHECK(backup->empty());
  CHECK(content(path) == "new");
  CHECK(count_in(folder.path("a/b")) == 1);
}

TEST_CASE("a file that is there keeps its mode, and its text in a copy of a name that was free") {
  TemporaryFolder folder;
  folder.write("c.json", "one");
  folder.write("c.json.symbols-backup-1", "precious");
  const fs::path path = folder.path("c.json");
  ::chmod(path.c_str(), 0640);
  const Result<fs::path> first = replace(path, "two");
  REQUIRE(first.has_value());
  CHECK(first->filename() == "c.json.symbols-backup-2");
  CHECK(content(*first) == "one");
  CHECK(replace(path, "three")->filename() == "c.json.symbols-backup-3");
  CHECK(content(path) == "three");
  CHECK(content(folder.path("c.json.symbols-backup-1")) == "precious");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(count_in(folder.path("")) == 4);
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

TEST_CASE("what is no file, write-protected or known by other names is not replaced") {
  TemporaryFolder folder;
  CHECK(!look_at_file(folder.path("")));
  folder.write("protected", "one");
  ::chmod(folder.path("protected").c_str(), 0444);
  const Result<fs::path> refused = replace(folder.path("protected"), "two");
  REQUIRE(!refused);
  CHECK(refused.error().message.ends_with("it is write-protected"));
  CHECK(content(folder.path("protected")) == "one");

  folder.write("name", "one");
  fs::create_hard_link(folder.path("name"), folder.path("other-name"));
  CHECK(!replace(folder.path("name"), "two"));
  CHECK(content(folder.path("name")) == "one");
  CHECK(count_in(folder.path("")) == 3);
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

TEST_CASE("a folder that cannot be made is told") {
  TemporaryFolder folder;
  folder.write("file", "");
  const Result<fs::path> result = replace(folder.path("file/below"), "x");
  REQUIRE(!result);
  CHECK(result.error().message.find("file/below") != std::string::npos);
}

}  // namespace
}  // namespace symbols::proxy
