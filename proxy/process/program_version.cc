#include "proxy/process/program_version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <memory>

#include "proxy/io/event_loop.h"
#include "proxy/process/server_process.h"

namespace symbols::process {
namespace {

using std::chrono::milliseconds;

// A version is in the first lines; a program that writes more did not understand the question.
constexpr std::size_t max_output = std::size_t{1} << 16;

// A program that was asked, and what it has written.
struct Asked {
  std::unique_ptr<ServerProcess> process{};
  std::string output{};
  std::string error_output{};
};

Result<std::string> answer_of(const std::string& command, const Asked& asked, ExitStatus status) {
  if (status.signal != 0 || status.code != 0) {
    const std::string& words = asked.error_output.empty() ? asked.output : asked.error_output;
    return Error{fmt::format("{} failed: {}", command, words.substr(0, words.find('\n'))), {}};
  }
  std::string version = version_in(asked.output + "\n" + asked.error_output);
  if (version.empty()) return Error{fmt::format("{} printed no version", command), {}};
  return {boost::system::in_place_value, std::move(version)};
}

}  // namespace

std::vector<Result<std::string>> ask_versions(const std::vector<ProcessOptions>& programs,
                                              milliseconds limit) {
  io::EventLoop loop;
  std::vector<Asked> all(programs.size());
  std::vector<Result<std::string>> answers;
  std::size_t running = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ProcessOptions options = programs[i];
    options.working_directory = "/";
    const std::string command = fmt::format("{} {}", options.program, fmt::join(options.arguments, " "));
    answers.emplace_back(Error{fmt::format("{} did not end within {} s", command, limit.count() / 1000), {}});
    Asked& asked = all[i];
    const auto keep = [&asked](std::string& written, std::string_view bytes) {
      if (written.size() > max_output) return asked.process->stop(milliseconds(0));
      written += bytes;
    };
    Result<std::unique_ptr<ServerProcess>> process = start_server(
        loop, options,
        {.on_output = [&asked, keep](std::string_view bytes) { keep(asked.output, bytes); },
         .on_error_output = [&asked, keep](std::string_view bytes) { keep(asked.error_output, bytes); },
         .on_exit =
             [&answers, &asked, &running, &loop, i, command](ExitStatus status) {
               answers[i] = answer_of(command, asked, status);
               if (--running == 0) loop.stop();
             }});
    if (!process) {
      answers[i] = Error{fmt::format("cannot run {}: {}", command, process.error().message), {}};
      continue;
    }
    asked.process = std::move(*process);
    asked.process->close_input();
    ++running;
  }
  loop.later(limit, [&loop] { loop.stop(); });
  if (running > 0) loop.run();
  return answers;
}

std::string version_in(std::string_view text) {
  // "v1.2" is a version, "llvm14.0" is not.
  static const re2::RE2 version(
      R"((?:^|[^A-Za-z0-9._-])[vV]?([0-9]+\.[0-9](?:[A-Za-z0-9.+_-]*[A-Za-z0-9])?))", re2::RE2::Latin1);
  std::string found;
  re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), version, &found);
  return found;
}

}  // namespace symbols::process
