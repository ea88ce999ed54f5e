#include "proxy/files/source_text.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <thread>

#include "proxy/files/regular_file.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace {

using namespace std::string_literals;

TEST_CASE("source text: what a server is sent for a file's bytes") {
  struct Case {
    const char* what;
    std::string bytes;
    std::string text;
    const char* note;  // what the note says, nullptr for no note
  };
  const Case cases[] = {
      {"empty", "", "", nullptr},
      {"no end of line", "a", "a", nullptr},
      {"CRLF stays", "a\r\nb\r\n", "a\r\nb\r\n", nullptr},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "a\n",
       "a\n", nullptr},
      {"nothing but a byte order mark", "\xEF\xBB\xBF", "", nullptr},
      {"a second byte order mark is text", "\xEF\xBB\xBF\xEF\xBB\xBF", "\xEF\xBB\xBF", nullptr},
      {"one later on, too", "a\xEF\xBB\xBF", "a\xEF\xBB\xBF", nullptr},
      {"non-ASCII", "// é 漢 😀\n", "// é 漢 😀\n", nullptr},
      {"control characters", "\x01\x1b\f\v\x7f", "\x01\x1b\f\v\x7f", nullptr},
      {"Latin-1", "a\nb\n// caf\xE9\n", "a\nb\n// caf\uFFFD\n",
       "f.c: not UTF-8 in line 3; one byte was read as U+FFFD"},
      {"invalid in the first line", "\xFF", "\uFFFD", "f.c: not UTF-8 in line 1; one byte was"},
      {"a line for each CRLF and each lone CR", "\r\n\r\n\r\xFF", "\r\n\r\n\r\uFFFD", "in line 4;"},
      {"several", "\xE9\n\xE9\xE9", "\uFFFD\n\uFFFD\uFFFD", "in line 1; 3 bytes were read as U+FFFD"},
      {"cut in a character", "\xE6\xBC", "\uFFFD\uFFFD", "2 bytes were"},
      {"a surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", "3 bytes were"},
      {"overlong", "\xC0\xAF", "\uFFFD\uFFFD", "2 bytes were"},
      {"mark and invalid bytes", "\xEF\xBB\xBF\xFF", "\uFFFD", "in line 1;"},
      {"one byte of a UTF-16 mark is no mark", "\xFE", "\uFFFD", "in line 1;"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Result<SourceText> source = decode_source_text(c.bytes, "f.c");
    REQUIRE(source.has_value());
    CHECK(source->text == c.text);
    REQUIRE(source->notes.size() == (c.note != nullptr));
    if (c.note != nullptr) CHECK(source->notes[0].find(c.note) != std::string::npos);
  }
}

TEST_CASE("source text: bytes that are no source text") {
  struct Case {
    const char* what;
    std::string bytes;
    const char* message;
    const char* advice;
  };
  const Case cases[] = {
      {"UTF-16LE", "\xFF\xFE"s + "a\0"s, "cannot read f.c: it is UTF-16LE", "iconv -f UTF-16 -t UTF-8"},
      {"UTF-16BE", "\xFE\xFF"s + "\0a"s, "cannot read f.c: it is UTF-16BE", "iconv -f UTF-16 -t UTF-8"},
      {"UTF-32LE", "\xFF\xFE\0\0a\0\0\0"s, "cannot read f.c: it is UTF-32LE", "iconv -f UTF-32 -t UTF-8"},
      {"UTF-32BE", "\0\0\xFE\xFF\0\0\0a"s, "cannot read f.c: it is UTF-32BE", "iconv -f UTF-32 -t UTF-8"},
      {"NUL first", "\0"s, "cannot read f.c: it is binary (a NUL byte in line 1)", "UTF-8"},
      {"NUL last", "a\nb\n\0"s, "binary (a NUL byte in line 3)", "UTF-8"},
      {"NUL after a byte order mark", "\xEF\xBB\xBF\0"s, "binary (a NUL byte in line 1)", "UTF-8"},
      {"an ELF program",
       "\x7f"
       "ELF\2\1\1\0\0"s,
       "binary (a NUL byte in line 1)", "UTF-8"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Result<SourceText> source = decode_source_text(c.bytes, "f.c");
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().message.find(c.message) != std::string::npos);
    CHECK(source.error().advice.find(c.advice) != std::string::npos);
  }
}

TEST_CASE("source text: a file is read whatever its name") {
  const TemporaryFolder folder;
  const char* const names[] = {
      "a b.c",        "漢字 é.c",      "new\nline.c",     "not utf-8 \xFF\xFE.c", "-",
      "--language.c", "back\\slash.c", "tab\t\x1b[31m.c", "'\"$(id)`id`.c"};
  for (const char* const name : names) {
    CAPTURE(name);
    const Result<SourceText> source = read_source_file(folder.write(name, "int x;\n"));
    REQUIRE(source.has_value());
    CHECK(source->text == "int x;\n");
  }
  const Result<SourceText> linked = read_source_file(folder.link("link.c", "a b.c"));
  REQUIRE(linked.has_value());
  CHECK(linked->text == "int x;\n");
}

TEST_CASE("source text: what cannot be read says why and never waits") {
  const TemporaryFolder folder;
  folder.write("file.c", "x");
  folder.link("loop.c", "loop.c");
  folder.link("dangling.c", "nothing.c");
  folder.make_fifo("fifo.c");
  folder.link("to-fifo.c", "fifo.c");
  folder.make_folder("folder.c");

  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = folder.path("socket.c");
  REQUIRE(socket_path.size() < sizeof address.sun_path);
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);

  std::filesystem::resize_file(folder.write("large.c"), max_source_bytes + 1);
  std::filesystem::resize_file(folder.write("largest.c"), max_source_bytes);

  struct Case {
    std::string path;
    const char* reason;
  };
  const Case cases[] = {
      {folder.path("nothing.c"), "No such file or directory"},
      {folder.path("no folder/x.c"), "No such file or directory"},
      {"", "No such file or directory"},
      {folder.path("dangling.c"), "No such file or directory"},
      {folder.path("file.c/x.c"), "Not a directory"},
      {folder.path("loop.c"), "Too many levels of symbolic links"},
      {folder.path(std::string(300, 'x')), "File name too long"},
      {folder.path("folder.c"), "it is a folder, not a file"},
      {folder.path("fifo.c"), "it is a named pipe, not a file"},
      {folder.path("to-fifo.c"), "it is a named pipe, not a file"},
      {socket_path, "it is a socket, not a file"},
      {"/dev/null", "it is a device, not a file"},
      {folder.path("large.c"), "it has 64.0 MiB, the limit is 64.0 MiB"},
      {folder.path("largest.c"), "it is binary"},  // so it was read
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const Result<SourceText> source = read_source_file(c.path);
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().message.starts_with("cannot read " + (c.path.empty() ? "''" : c.path) + ": "));
    CHECK(source.error().message.find(c.reason) != std::string::npos);
    CHECK_FALSE(source.error().advice.empty());
  }
  ::close(socket);

  std::filesystem::permissions(folder.path("file.c"), std::filesystem::perms::none);
  if (::geteuid() != 0) {
    const Result<SourceText> source = read_source_file(folder.path("file.c"));
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().message.find("Permission denied") != std::string::npos);
  }
}

TEST_CASE("source text: a file whose size says nothing is read to its end") {
  if (!std::filesystem::exists("/proc/self/status")) return;
  REQUIRE(std::filesystem::file_size("/proc/self/status") == 0);
  const Result<SourceText> source = read_source_file("/proc/self/status");
  REQUIRE(source.has_value());
  CHECK(source->text.starts_with("Name:"));
}

TEST_CASE("regular file: symbolic links can be refused, wherever in the path they are") {
  const TemporaryFolder folder;
  folder.write("a/file", "text");
  folder.link("link", "a/file");
  folder.link("relative", "a");
  folder.link("absolute", folder.path("a"));
  const struct {
    const char* path;
    const char* refused;  // nullptr: it has no link
  } cases[] = {
      {"a/file", nullptr},
      {"link", ": it is a symbolic link, not a file"},
      {"relative/file", ": Too many levels of symbolic links"},
      {"absolute/file", ": Too many levels of symbolic links"},
      {"relative/../link", ": Too many levels of symbolic links"},
  };
  for (const auto& c : cases) {
    const std::string path = folder.path(c.path);
    CAPTURE(path);
    CHECK(*read_regular_file(path, 100, Symlinks::follow) == "text");
    const Result<std::string> read = read_regular_file(path, 100, Symlinks::refuse);
    CHECK(read.has_value() == (c.refused == nullptr));
    if (!read) CHECK(read.error().message == "cannot read " + path + c.refused);
  }
}

TEST_CASE("descriptor: read to its end and no further than the limit") {
  struct Case {
    std::string bytes;
    std::size_t limit;
    bool fits;
  };
  const Case cases[] = {
      {"", 0, true},
      {"x", 0, false},
      {"12345", 5, true},
      {"123456", 5, false},
      {std::string(200'000, 'x'), 200'000, true},
      {std::string(200'000, 'x'), 199'999, false},
  };
  for (const int flags : {0, O_NONBLOCK}) {
    for (const Case& c : cases) {
      CAPTURE(flags);
      CAPTURE(c.limit);
      CAPTURE(c.bytes.size());
      std::array<int, 2> pipe{};
      REQUIRE(::pipe2(pipe.data(), O_CLOEXEC) == 0);
      REQUIRE(::fcntl(pipe[0], F_SETFL, flags) == 0);
      // More than a pipe holds, in two parts and late: the reader has to wait. It may also go before the end.
      std::thread writer([&c, fd = pipe[1]] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::size_t sent = 0;
        while (sent < c.bytes.size()) {
          const ssize_t count =
              ::write(fd, c.bytes.data() + sent, std::min<std::size_t>(c.bytes.size() - sent, 50'000));
          if (count < 0) break;
          sent += static_cast<std::size_t>(count);
        }
        ::close(fd);
      });
      const Result<std::string> bytes = read_descriptor(pipe[0], "standard input", c.limit);
      // Drained, as a writer to a pipe that nobody reads would get SIGPIPE.
      std::array<char, 4096> rest{};
      REQUIRE(::fcntl(pipe[0], F_SETFL, 0) == 0);
      while (::read(pipe[0], rest.data(), rest.size()) > 0) continue;
      writer.join();
      ::close(pipe[0]);
      REQUIRE(bytes.has_value() == c.fits);
      if (c.fits) {
        CHECK(*bytes == c.bytes);
      } else {
        CHECK(bytes.error().message.starts_with(
            "cannot read standard input: it has more than that, the limit is "));
      }
    }
  }
}

TEST_CASE("descriptor: one that is not open is an error") {
  const Result<SourceText> source = read_source_descriptor(-1, "standard input");
  REQUIRE_FALSE(source.has_value());
  CHECK(source.error().message == "cannot read standard input: Bad file descriptor");
}

}  // namespace
}  // namespace symbols::files
