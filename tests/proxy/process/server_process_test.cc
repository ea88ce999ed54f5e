// Real children, small shell scripts: their input, their output, and that they end.
#include "proxy/process/server_process.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/program_files.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::process {
namespace server_process_test {

using io::EventLoop;
using std::chrono::milliseconds;

// Runs a script until it has ended.
struct Script {
  EventLoop loop;
  std::string output;
  std::string error_output;
  std::optional<ExitStatus> status;
  std::function<void()> on_output = [] {};
  std::function<void()> on_output_closed = [] {};
  std::unique_ptr<ServerProcess> process;
  void (*sigpipe_before)(int) = std::signal(SIGPIPE, [](int) {});  // as the program has it

  Script() = default;
  ~Script() { std::signal(SIGPIPE, sigpipe_before); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  void start(const std::string& text, ProcessOptions options = {}) {
    options.program = "/bin/sh";
    options.arguments = {"-c", text};
    Result<std::unique_ptr<ServerProcess>> started =
        start_server(loop, options,
                     {.on_output =
                          [this](std::string_view bytes) {
                            output += bytes;
                            on_output();
                          },
                      .on_error_output = [this](std::string_view bytes) { error_output += bytes; },
                      .on_exit =
                          [this](ExitStatus ended) {
                            status = ended;
                            process.reset();  // as owners do
                            loop.stop();
                          },
                      .on_output_closed = [this] { on_output_closed(); }});
    REQUIRE(started.has_value());
    process = std::move(*started);
  }
  // Without a limit: ctest ends what hangs.
  void run() {
    loop.run();
    REQUIRE(status.has_value());
  }
};

TEST_CASE("a process: its output, its standard error and its status are reported") {
  Script script;
  script.start("echo out; echo err >&2; echo $NAME; pwd; exit 3",
               {.program = {}, .working_directory = "/usr", .environment = {"NAME=value"}});
  script.run();
  CHECK(script.output == "out\nvalue\n/usr\n");
  CHECK(script.error_output == "err\n");
  CHECK(script.status->code == 3);
  CHECK(script.status->signal == 0);
  CHECK(script.status->text() == "exited with status 3");
}

TEST_CASE("a process: the signal that ended it is reported") {
  Script script;
  script.start("kill -SEGV $$");
  script.run();
  CHECK(script.status->signal == SIGSEGV);
  CHECK(script.status->text() == "was ended by signal 11 (Segmentation fault)");
}

TEST_CASE("a process: more than its pipes hold goes to it and comes back whole") {
  Script script;
  std::string text;
  for (int i = 0; i < 3'000'000; ++i) text += static_cast<char>('a' + i % 26);
  script.start("cat");
  script.process->write(text);
  script.process->close_input();
  script.process->write("dropped");
  script.run();
  CHECK(script.output == text);
  CHECK(script.status->code == 0);
}

TEST_CASE("a process: what it no longer reads is dropped, and its end is reported") {
  Script script;
  const TemporaryFolder folder;
  const std::string go = folder.make_fifo("go");
  script.start("exec 0<&-; echo closed; read line < " + go + "; exit 4");
  script.on_output = [&] {
    script.process->write(std::string(200'000, 'x'));
    CHECK(script.process->unwritten() == 0);
    script.process->write("more");
    std::ofstream(go) << "\n";
  };
  script.run();
  CHECK(script.status->code == 4);
}

TEST_CASE("a process: it may close its output and keep running, which is reported") {
  Script script;
  SUBCASE("both") {
    script.start("exec 1>&- 2>&-; read line; exit 5");
  }
  SUBCASE("not its standard error") {
    script.start("exec 1>&-; read line; exit 5");
  }
  int told = 0;
  script.on_output_closed = [&] {
    ++told;
    script.process->write("\n");
  };
  script.run();
  CHECK(told == 1);
  CHECK(script.status->code == 5);
}

TEST_CASE("a process: it ends by itself within the grace, then SIGTERM comes, then SIGKILL") {
  Script script;
  const auto stopped = [&](const std::string& text, milliseconds grace) {
    script.start(text);
    script.on_output = [&script, grace] { script.process->stop(grace); };  // its trap is set
    const EventLoop::Clock::time_point start = script.loop.now();
    script.run();
    return script.loop.now() - start;
  };
  SUBCASE("by itself, at the end of its input") {
    stopped("trap 'exit 9' TERM; echo; read line; exit 6", milliseconds(3'600'000));
    CHECK(script.status->code == 6);
  }
  SUBCASE("SIGTERM") {
    CHECK(stopped("trap 'exit 9' TERM; echo; while :; do sleep 0.01; done", milliseconds(50)) >=
          milliseconds(50));
    CHECK(script.status->code == 9);
  }
  SUBCASE("SIGKILL") {
    CHECK(stopped("trap '' TERM; echo; while :; do sleep 0.01; done", milliseconds(0)) >= milliseconds(200));
    CHECK(script.status->signal == SIGKILL);
  }
  SUBCASE("the shorter grace wins") {
    script.start("echo; while :; do sleep 0.01; done");
    script.on_output = [&] {
      script.process->stop(milliseconds(3'600'000));
      script.process->stop(milliseconds(10));
      script.process->stop(milliseconds(3'600'000));
    };
    script.run();
    CHECK(script.status->signal == SIGTERM);
  }
}

TEST_CASE("a process: its children end with it") {
  Script script;
  script.start("sleep 3600 & echo $!; exit 0");
  script.run();  // it does not hold the pipes open either
  CHECK(is_gone(std::atoi(script.output.c_str())));
}

TEST_CASE("a process: what it wrote is handed over though a grandchild holds its output open") {
  Script script;
  // Its own session keeps it from being killed with the group.
  script.start("setsid sh -c 'echo $$; exec sleep 3600' & read line; echo last; exit 7");
  script.on_output = [&script] { script.process->write("\n"); };
  script.run();
  const int grandchild = std::atoi(script.output.c_str());
  REQUIRE(grandchild > 1);
  ::kill(grandchild, SIGKILL);
  CHECK(script.output.ends_with("last\n"));
  CHECK(script.status->code == 7);
}

TEST_CASE("a process: what it wrote to its standard error comes before its output") {
  Script script;
  // While the first line is handled the rest is written; its output is then the first that is found ready.
  const TemporaryFolder folder;
  const std::string written = folder.make_fifo("written");
  script.start("echo one; read line; echo why >&2; echo two; echo > " + written + "; cat");
  bool waited = false;
  std::string before_two;
  script.on_output = [&] {
    if (!std::exchange(waited, true)) {
      script.process->write("\n");
      std::ifstream(written).get();
      return;
    }
    before_two = script.error_output;
    script.process->close_input();
  };
  script.run();
  CHECK(script.output == "one\ntwo\n");
  CHECK(before_two == "why\n");
  CHECK(script.error_output == "why\n");
}

TEST_CASE("a process: destroying it ends it with its children, without a callback") {
  Script script;
  script.start("trap '' TERM; sleep 3600 & echo $! $$; wait");
  int child = 0, parent = 0;
  script.on_output = [&] {
    REQUIRE(std::sscanf(script.output.c_str(), "%d %d", &child, &parent) == 2);
    script.loop.stop();
  };
  script.loop.run();
  script.process.reset();
  CHECK(::kill(parent, 0) != 0);  // and reaped
  CHECK(is_gone(child));
  CHECK_FALSE(script.status.has_value());
}

TEST_CASE("a process: one that cannot be run is an error that says why") {
  EventLoop loop;
  const auto error = [&](const ProcessOptions& options) {
    const Result<std::unique_ptr<ServerProcess>> process =
        start_server(loop, options, {.on_output = {}, .on_error_output = {}, .on_exit = {}});
    REQUIRE_FALSE(process.has_value());
    return process.error().message;
  };
  const TemporaryFolder folder;
  folder.write("text", "no program\n");
  CHECK(error({.program = "/nonexistent/program"}) == "No such file or directory");
  CHECK(error({.program = folder.path("text")}) == "Permission denied");
  CHECK(error({.program = "/bin/true", .working_directory = "/nonexistent"}) == "No such file or directory");
}

TEST_CASE("a process: signals that the loop handles do in it what they do") {
  Script script;
  int told = 0;
  script.loop.on_signals({SIGUSR1}, [&](int) {
    ++told;
    script.process->write("told\n");
  });
  script.start("kill -USR1 $PPID; read told; kill -USR1 $$; echo survived");
  script.run();
  ::signal(SIGUSR1, SIG_DFL);
  CHECK(script.output == "");
  CHECK(script.status->signal == SIGUSR1);
  CHECK(told == 1);
}

TEST_CASE("stderr tail: the last three lines, and not a stack but what stands before it") {
  struct Case {
    std::string text, tail;
  };
  const Case cases[] = {
      {"", ""},
      {" \n\t\r\n", ""},
      {"one\n\n  two \r\n \nthree\x07\nfour", "two / three\\x07 / four"},
      {std::string(1000, 'x'), std::string(300, 'x')},
      {"before\n" + std::string(400, ' ') + "words\n", "before / words"},
      {"x" + std::string(400, ' ') + "y", "x"},
      // rustup's, for a component that is not installed.
      {"error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.\n\nStack backtrace:\n"
       "   0: anyhow::kind::Adhoc::new\n   1: main\n  13: __libc_start_call_main\n"
       "             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n  15: <unknown>\n",
       "error: Unknown binary 'rust-analyzer' in official toolchain 'stable'."},
      {"thread 'main' panicked at src/main.rs:3:5:\nno\nstack backtrace:\n   0: std::panicking\n"
       "             at /rustc/1/library/std/src/panicking.rs:697:5\nnote: Some details are omitted\n",
       "thread 'main' panicked at src/main.rs:3:5: / no / note: Some details are omitted"},
      {"Error: Cannot find module 'x'\n    at Function._load (node:internal/modules:1:2)\n"
       "    at node:internal/main:36:49 {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v24\n",
       "Error: Cannot find module 'x' / } / Node.js v24"},
      {"PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clangd\n #0 0x0000 f\n#11 0x1 g\n",
       "PLEASE submit a bug report"},
      {"  0: a\n  1: b\n  2: c\n  3: d\n", "1: b / 2: c / 3: d"},
      // Of several stacks the last; a line that is not indented is no frame unless it is in a stack.
      {"Error: old\n    at f (x:1)\nError: new\n    at f (x:1)\na\nb\nc\n", "Error: new / b / c"},
      {"starting\nat config.toml:3:7: unknown key\n", "starting / at config.toml:3:7: unknown key"},
      {"1718000000: cannot load cargo\n 1718000001: bye\n",
       "1718000000: cannot load cargo / 1718000001: bye"},
      {"at last\n#include <x>\n7:5 error\n", "at last / #include <x> / 7:5 error"},
  };
  for (const Case& c : cases) {
    StderrTail tail;
    tail.add(c.text);
    CHECK(tail.text() == c.tail);
  }
}

TEST_CASE("stderr tail: no more than the last 16 KiB are kept, however they come") {
  StderrTail tail;
  for (int i = 0; i < 20'000; ++i) tail.add("a");
  tail.add("\n");
  CHECK(tail.text() == std::string(300, 'a'));
  tail.add(std::string(17'000, '\n'));
  CHECK(tail.text().empty());
}

}  // namespace server_process_test
}  // namespace symbols::process
