#include <doctest/doctest.h>

#include <fstream>
#include <utility>

#include "proxy/servers/servers_list.h"
#include "tests/proxy/program_files.h"

namespace symbols::servers {
namespace program_version_test {

using process::ProcessOptions;
using std::chrono::milliseconds;

ProcessOptions ask(const std::string& program, const std::vector<std::string>& arguments = {},
                   const std::vector<std::string>& environment = {}) {
  return {.program = program, .arguments = arguments, .environment = environment};
}

TEST_CASE("what looks like a version") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"1.2", "1.2"},
      {"Debian clangd version 19.1.7 (3~deb12u1)\nFeatures: linux+grpc", "19.1.7"},
      {"golang.org/x/tools/gopls v0.16.1\n    golang.org/x/tools/gopls@v0.16.1 h1:x", "0.16.1"},
      {"rust-analyzer 1.96.0 (abc 2026-01-01)", "1.96.0"},
      {"rust-analyzer 0.3.2011-standalone", "0.3.2011-standalone"},
      {"0.14.0-dev.1+abc", "0.14.0-dev.1+abc"},
      {"version 3.7.0.", "3.7.0"},
      {"pylsp v1.7.1", "1.7.1"},
      {"llvm14.0 is not, 2.0 is", "2.0"},
      {"x86-64.1 is not, 2.0 is", "2.0"},
      {"7", ""},
      {"1.", ""},
      {"no version", ""},
  };
  std::vector<ProcessOptions> questions;
  for (const auto& [text, version] : cases)
    questions.push_back(ask("/usr/bin/printf", {"%s", std::string(text)}));
  const std::vector<Result<std::string>> answers = ask_versions(questions, milliseconds(600'000));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    CAPTURE(cases[i].first);
    CHECK(answers[i].has_value() == !cases[i].second.empty());
    if (answers[i]) CHECK(*answers[i] == cases[i].second);
  }
}

TEST_CASE("programs are asked for their versions, all at once") {
  const TemporaryFolder folder;
  const auto script = [&](const std::string& name, const std::string& body) {
    return write_program(folder, name, "#!/bin/sh\n" + body + "\n");
  };
  struct Case {
    const char* what;
    ProcessOptions question;
    std::string version, error;  // one of them
  };
  const std::string on_error_stream = script("err", "echo v1.2.3 >&2");
  const std::string of_argument = script("arg", "echo \"$1.5\"");
  const std::string of_environment = script("env", "echo \"$A_VERSION\"");
  const std::string fails = script("fails", "echo 'no such option' >&2\necho more\nexit 3");
  const std::string silent = script("silent", "true");
  const std::string waits_for_input = script("stdin", "cat\necho 4.4");
  const std::string place = script("cwd", "[ \"$PWD\" = / ] && echo 6.6");
  const std::string noisy =
      script("noisy", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  const std::string leaves_a_child = script("leaves", "sleep 3600 &\necho 7.7");
  const std::string fifo = folder.make_fifo("fifo");
  const std::string first = script("first", "cat " + fifo);
  const std::string second = script("second", "echo 5.5 | tee " + fifo);
  const std::string missing = folder.path("missing");
  const Case cases[] = {
      {"standard error counts too", ask(on_error_stream), "1.2.3", ""},
      {"arguments", ask(of_argument, {"9"}), "9.5", ""},
      {"environment", ask(of_environment, {}, {"A_VERSION=8.8"}), "8.8", ""},
      {"failure", ask(fails, {"--version"}), "", fails + " --version failed: no such option"},
      {"no version", ask(silent, {"--version"}), "", silent + " --version printed no version"},
      {"nothing to read", ask(waits_for_input), "4.4", ""},
      {"from the root folder", ask(place), "6.6", ""},
      {"endless output", ask(noisy, {"-v"}), "", noisy + " -v wrote more than 65536 bytes"},
      {"a child that holds the output open", ask(leaves_a_child), "7.7", ""},
      {"one that ends after another", ask(first), "5.5", ""},
      {"the other", ask(second), "5.5", ""},
      {"not there", ask(missing, {"-v"}), "", "cannot run " + missing + " -v: No such file or directory"},
  };
  std::vector<ProcessOptions> questions;
  for (const Case& c : cases) questions.push_back(c.question);
  const std::vector<Result<std::string>> answers = ask_versions(questions, milliseconds(600'000));
  REQUIRE(answers.size() == std::size(cases));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    CAPTURE(cases[i].what);
    if (cases[i].error.empty()) {
      CHECK(answers[i].has_value());
      if (answers[i]) CHECK(*answers[i] == cases[i].version);
    } else {
      CHECK(answers[i].has_error());
      if (!answers[i]) CHECK(answers[i].error().message == cases[i].error);
    }
  }
  CHECK(ask_versions({}, milliseconds(1000)).empty());
}

TEST_CASE("a program that takes too long is killed with its children") {
  const TemporaryFolder folder;
  const std::string program =
      write_program(folder, "program", "#!/bin/sh\nsleep 3600 &\necho $! > \"$PID_FILE\"\nwait\n");
  const auto answers =
      ask_versions({ask(program, {"-v"}, {"PID_FILE=" + folder.path("pid")})}, milliseconds(2000));
  REQUIRE(answers.front().has_error());
  CHECK(answers.front().error().message == program + " -v did not end within 2 s");
  pid_t child = 0;
  std::ifstream(folder.path("pid")) >> child;
  REQUIRE(child > 1);
  CHECK(is_gone(child));
}

}  // namespace program_version_test
}  // namespace symbols::servers
