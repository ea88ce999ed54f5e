// What is kept of a server's standard error, and how it is quoted.
#include "proxy/process/stderr_tail.h"

#include <doctest/doctest.h>

namespace symbols::process {
namespace {

std::string tail_of(std::string_view text) {
  StderrTail tail;
  tail.add(text);
  return tail.text();
}

TEST_CASE("stderr tail: the last three lines that are not blank, without the whitespace around them") {
  CHECK(tail_of("").empty());
  CHECK(tail_of(" \n\t\r\n").empty());
  CHECK(tail_of("one\n") == "one");
  CHECK(tail_of("one\n\n  two \r\n \nthree\nfour") == "two / three / four");
}

TEST_CASE("stderr tail: what stands before a stack, and not the stack") {
  // rustup's, for a component that is not installed.
  CHECK(tail_of("error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.\n\nStack backtrace:\n"
                "   0: anyhow::kind::Adhoc::new\n   1: main\n  13: __libc_start_call_main\n"
                "             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n  15: <unknown>\n") ==
        "error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.");
  CHECK(tail_of("thread 'main' panicked at src/main.rs:3:5:\nno\nstack backtrace:\n   0: std::panicking\n"
                "             at /rustc/1/library/std/src/panicking.rs:697:5\n"
                "note: Some details are omitted\n") ==
        "thread 'main' panicked at src/main.rs:3:5: / no / note: Some details are omitted");
  CHECK(tail_of("Error: Cannot find module 'x'\n    at Function._load (node:internal/modules:1:2)\n"
                "    at node:internal/main:36:49 {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v24\n") ==
        "Error: Cannot find module 'x' / } / Node.js v24");
  CHECK(tail_of("PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clangd\n #0 0x0000 f\n#11 "
                "0x1 g\n") == "PLEASE submit a bug report");
  CHECK(tail_of("  0: a\n  1: b\n  2: c\n  3: d\n") == "1: b / 2: c / 3: d");
  // Of several stacks the last; a line that is not indented is no frame unless it is in a stack.
  CHECK(tail_of("Error: old\n    at f (x:1)\nError: new\n    at f (x:1)\na\nb\nc\n") == "Error: new / b / c");
  CHECK(tail_of("starting\nat config.toml:3:7: unknown key\n") ==
        "starting / at config.toml:3:7: unknown key");
  CHECK(tail_of("1718000000: cannot load cargo\n 1718000001: bye\n") ==
        "1718000000: cannot load cargo / 1718000001: bye");
  CHECK(tail_of("at last\n#include <x>\n7:5 error\n") == "at last / #include <x> / 7:5 error");
}

TEST_CASE("stderr tail: of a long line the first 300 bytes that are not indentation") {
  CHECK(tail_of(std::string(1000, 'x')) == std::string(300, 'x'));
  CHECK(tail_of("before\n" + std::string(400, ' ') + "words\n") == "before / words");
  CHECK(tail_of("x" + std::string(400, ' ') + "y") == "x");
}

TEST_CASE("stderr tail: no more than the last 16 KiB are kept, however they come") {
  StderrTail tail;
  for (int i = 0; i < 20'000; ++i) tail.add("a");
  tail.add("\n");
  CHECK(tail.text() == std::string(300, 'a'));
  tail.add(std::string(17'000, '\n'));
  CHECK(tail.text().empty());
}

}  // namespace
}  // namespace symbols::process
