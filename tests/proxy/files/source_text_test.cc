#include "proxy/files/source_text.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>
#include <utility>

#include "proxy/files/regular_file.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::files {
namespace source_text_test {

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
      {"byte order mark", "\uFEFFa\n", "a\n", nullptr},
      {"nothing but a byte order mark", "\xEF\xBB\xBF", "", nullptr},
      {"a second byte order mark is text", "\xEF\xBB\xBF\xEF\xBB\xBF", "\xEF\xBB\xBF", nullptr},
      {"one later on, too", "a\xEF\xBB\xBF", "a\xEF\xBB\xBF", nullptr},
      {"non-ASCII", "// é 漢 😀\n", "// é 漢 😀\n", nullptr},
      {"control characters", "\x01\x1b\f\v\x7f", "\x01\x1b\f\v\x7f", nullptr},
      {"Latin-1", "a\nb\n// caf\xE9\n", "a\nb\n// caf\uFFFD\n",
       "f.c: not UTF-8 in line 3: what is invalid was read as U+FFFD"},
      {"invalid in the first line", "\xFF", "\uFFFD", "f.c: not UTF-8 in line 1:"},
      {"a line for each CRLF", "\r\n\r\n\xFF", "\r\n\r\n\uFFFD", "in line 3:"},
      {"several", "\xE9\n\xE9\xE9", "\uFFFD\n\uFFFD\uFFFD", "in line 1:"},
      {"cut in a character", "\xE6\xBC", "\uFFFD\uFFFD", "in line 1:"},
      {"a surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", "in line 1:"},
      {"overlong", "\xC0\xAF", "\uFFFD\uFFFD", "in line 1:"},
      {"mark and invalid bytes", "\xEF\xBB\xBF\xFF", "\uFFFD", "in line 1:"},
      {"one byte of a UTF-16 mark is no mark", "\xFE", "\uFFFD", "in line 1:"},
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

TEST_CASE("source text: what cannot be read says why and never waits") {
  const TemporaryFolder folder;
  folder.write("file.c", "x");
  folder.link("loop.c", "loop.c");
  folder.link("dangling.c", "nothing.c");
  folder.make_fifo("fifo.c");
  folder.link("to-fifo.c", "fifo.c");
  folder.make_folder("folder.c");
  std::filesystem::resize_file(folder.write("large.c"), max_source_bytes + 1);
  std::filesystem::resize_file(folder.write("largest.c"), max_source_bytes);
  const std::string long_name = std::string(300, 'x');
  const std::pair<std::string, const char*> cases[] = {
      {"nothing.c", "No such file or directory"},
      {"dangling.c", "No such file or directory"},
      {"file.c/x.c", "Not a directory"},
      {"loop.c", "Too many levels of symbolic links"},
      {long_name, "File name too long"},
      {"folder.c", "it is a folder, not a file"},
      {"fifo.c", "it is a named pipe, not a file"},
      {"to-fifo.c", "it is a named pipe, not a file"},
      {"/dev/null", "it is a device, not a file"},
      {"", "No such file or directory"},
      {"large.c", "it has 64.0 MiB, the limit is 64.0 MiB"},
      {"largest.c", "it is binary (a NUL byte in line 1)"},  // so it was read
  };
  for (const auto& [name, reason] : cases) {
    CAPTURE(name);
    const std::string path = name.empty() || name.starts_with('/') ? name : folder.path(name);
    const Result<SourceText> source = read_source_file(path);
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().message == "cannot read " + (path.empty() ? "''" : path) + ": " + reason);
    CHECK_FALSE(source.error().advice.empty());
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

TEST_CASE("descriptor: read to its end and no further than the limit, also where it has to wait") {
  for (const auto& [size, limit] :
       {std::pair{0, 0}, {1, 0}, {5, 5}, {6, 5}, {200'000, 200'000}, {200'000, 199'999}}) {
    for (const int flags : {0, O_NONBLOCK}) {
      CAPTURE(flags);
      CAPTURE(size);
      const std::string bytes(static_cast<std::size_t>(size), 'x');
      std::array<int, 2> pair{};
      REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) == 0);
      REQUIRE(::fcntl(pair[0], F_SETFL, flags) == 0);
      std::thread writer([&bytes, fd = pair[1]] {
        (void)::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        ::close(fd);
      });
      const Result<std::string> read =
          read_descriptor(pair[0], "standard input", static_cast<std::size_t>(limit));
      ::close(pair[0]);
      writer.join();
      REQUIRE(read.has_value() == (size <= limit));
      if (read) {
        CHECK(*read == bytes);
      } else {
        CHECK(read.error().message.starts_with(
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

TEST_CASE("the language of a source is that of the end of its path") {
  using enum Language;
  const std::pair<const char*, Language> cases[] = {
      {"src/a.d.ts", script},  {"a.h", c_header},   {"a.c++", c_source},
      {"a.H", c_header},       {"a.C", c_source},   {"a.py", python},
      {"a.b/Makefile", other}, {"a.def", c_header}, {"ts", other},
      {"a.", other},           {"", other},
  };
  for (const auto& [path, language] : cases) CHECK_MESSAGE(language_of(path) == language, path);
}

TEST_CASE("include names: those in a text's include lines") {
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"", {}},
      {"#include \"a.h\"\n", {"\"a.h"}},
      {"\xEF\xBB\xBF#include \"a.h\"\n", {"\"a.h"}},
      {"  #  include\t<sys/b.h> // why\r\n#import \"c.h\"\n#include_next <d.h>",
       {"\"c.h", "<d.h", "<sys/b.h"}},
      {"int a;\n#include<a.h>\n\n#include <a.h>", {"<a.h"}},
      {"#include <a.h> #include <b.h>", {"<a.h"}},
      {"#include MACRO\n#included <a.h>\n#define S #include <a.h>\n#include <a.h\n#include \"\"\n#", {}},
      {"#include <a\n.h>\nx #include <b.h>\n#include \"c.h>", {}},
  };
  for (const auto& [text, names] : cases) {
    CAPTURE(text);
    CHECK(include_names(text) == names);
  }
}

}  // namespace source_text_test
}  // namespace symbols::files
