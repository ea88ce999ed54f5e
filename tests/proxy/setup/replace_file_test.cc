#include "proxy/setup/replace_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/proxy/temporary_folder.h"

namespace symbols::setup {
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

TEST_CASE("a file is replaced only if there is a name for its copy, of ten thousand") {
  TemporaryFolder folder;
  folder.write("c.json", "one");
  for (int i = 1; i < 9999; ++i) folder.write("c.json.symbols-backup-" + std::to_string(i));
  CHECK(replace(folder.path("c.json"), "two")->filename() == "c.json.symbols-backup-9999");
  const Result<fs::path> last = replace(folder.path("c.json"), "three");
  REQUIRE(!last);
  CHECK(last.error().message ==
        "cannot make a backup of " + folder.path("c.json") + ": there are 9999 already");
  CHECK(content(folder.path("c.json")) == "two");
  CHECK(count_in(folder.path("")) == 10'000);
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

TEST_CASE("what is saved at any moment of the writing is in the file or in a copy") {
  for (const bool in_place : {true, false}) {
    CAPTURE(in_place);
    for (int i = 0; i < 150; ++i) {
      CAPTURE(i);
      TemporaryFolder folder;
      const fs::path path = folder.write("settings.json", std::string(20000, 'x'));
      const Result<FileState> file = look_at_file(path);
      REQUIRE(file.has_value());
      const std::string saved = "saved by an editor";
      std::thread editor([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(20 * i));
        if (in_place) {
          std::ofstream(path, std::ios::binary) << saved;
        } else {
          std::ofstream(folder.path("editor"), std::ios::binary) << saved;
          fs::rename(folder.path("editor"), path);
        }
      });
      const Result<fs::path> result = replace_file(*file, "ours");
      editor.join();
      bool is_kept = false;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder.path("")))
        is_kept = is_kept || content(entry.path()) == saved;
      CHECK(is_kept);
      // Nothing but the file, and the copy of what was there.
      CHECK(count_in(folder.path("")) == (result ? 2U : 1U));
    }
  }
}

// What one of many processes ended with that read a file, and wrote it when all had.
enum Outcome : int { wrote, saw_a_change, other };

Outcome race_to_write(const fs::path& path, int go, const std::string& text) {
  const Result<FileState> file = look_at_file(path);
  char start = 0;
  if (!file || ::read(go, &start, 1) != 0) return other;  // the end of the pipe starts all at once
  const Result<fs::path> backup = replace_file(*file, text);
  if (backup) return wrote;
  return backup.error().message.find("it changed while this program ran") != std::string::npos ? saw_a_change
                                                                                               : other;
}

TEST_CASE("of many processes that write a file at once one does, and the others are told and leave nothing") {
  constexpr int rounds = 10;
  constexpr int processes = 16;
  for (int round = 0; round < rounds; ++round) {
    TemporaryFolder folder;
    folder.write("c.json", "before");
    const fs::path path = folder.path("c.json");
    std::array<int, 2> go{};
    REQUIRE(::pipe(go.data()) == 0);
    for (int number = 0; number < processes; ++number) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        ::close(go[1]);
        ::_exit(race_to_write(path, go[0], "after " + std::to_string(number)));
      }
    }
    ::close(go[0]);
    ::close(go[1]);
    std::array<int, 3> ended{};
    for (int status = 0; ::wait(&status) > 0;) ++ended.at(WIFEXITED(status) ? WEXITSTATUS(status) : other);
    // A child that reads the file after another has written it writes too, on top of that.
    CHECK(ended[other] == 0);
    CHECK(ended[wrote] >= 1);
    CHECK(content(folder.path("c.json.symbols-backup-1")) == "before");
    CHECK(count_in(folder.path("")) == static_cast<std::size_t>(ended[wrote]) + 1);
  }
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

// As the kernel has it: a version, and entries of tag, permissions and id, each little-endian.
std::string access_list(const fs::path& path) {
  char list[1024];
  const ssize_t size = ::getxattr(path.c_str(), "system.posix_acl_access", list, sizeof list);
  return size < 0 ? std::string() : std::string(list, static_cast<std::size_t>(size));
}

TEST_CASE("the access list of a file stays, and one that its folder gives to new files is not taken") {
  struct Entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  constexpr std::uint32_t nobody = 0xFFFFFFFF;
  // The owner, the user 12345, the group, the mask, others.
  const Entry entries[] = {
      {1, 6, nobody}, {2, 6, 12345}, {4, 0, nobody}, {0x10, 6, nobody}, {0x20, 0, nobody}};
  std::string list = {2, 0, 0, 0};
  list.append(reinterpret_cast<const char*>(entries), sizeof entries);

  TemporaryFolder folder;
  const fs::path path = folder.write("c.json", "one");
  if (::setxattr(path.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    MESSAGE("not tested: this file system has no access lists");
    return;
  }
  REQUIRE(replace(path, "two").has_value());
  CHECK(content(path) == "two");
  CHECK(access_list(path) == list);

  folder.write("plain", "one");
  ::chmod(folder.path("plain").c_str(), 0640);
  REQUIRE(::setxattr(folder.path("").c_str(), "system.posix_acl_default", list.data(), list.size(), 0) == 0);
  REQUIRE(replace(folder.path("plain"), "two").has_value());
  CHECK(access_list(folder.path("plain")).empty());
}

TEST_CASE("a folder that cannot be made is told") {
  TemporaryFolder folder;
  folder.write("file", "");
  const Result<fs::path> result = replace(folder.path("file/below"), "x");
  REQUIRE(!result);
  CHECK(result.error().message.find("file/below") != std::string::npos);
}

}  // namespace
}  // namespace symbols::setup
