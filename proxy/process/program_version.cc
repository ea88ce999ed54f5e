#include "proxy/process/program_version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <memory>
#include <optional>

#include "base/text.h"
#include "proxy/process/server_process.h"
#include "proxy/relay/event_loop.h"

namespace symbols::process {
namespace {

using std::chrono::milliseconds;

// A version is in the first lines; a program that writes more did not understand the question.
constexpr std::size_t max_output = std::size_t{1} << 16;

// A program that was asked, and its answer so far.
struct Asked {
  std::unique_ptr<ServerProcess> process;
  std::string output;
  std::string error_output;
  std::optional<Error> not_started;
  std::optional<ExitStatus> status;

  void take(std::string& stream, std::string_view bytes) const {
    if (stream.size() < max_output) {
      stream += bytes;
    } else {
      process->stop(milliseconds(0));
    }
  }

  Result<std::string> answer(const ProcessOptions& options, milliseconds limit) const {
    const std::string command = fmt::format("{} {}", options.program, fmt::join(options.arguments, " "));
    if (not_started) return Error{fmt::format("cannot run {}: {}", command, not_started->message), {}};
    if (!status) return Error{fmt::format("{} did not end within {} s", command, limit.count() / 1000), {}};
    if (status->signal != 0 || status->code != 0) {
      const std::string& words = error_output.empty() ? output : error_output;
      return Error{fmt::format("{} failed: {}", command, words.substr(0, words.find('\n'))), {}};
    }
    std::string version = version_in(output + "\n" + error_output);
    if (version.empty()) return Error{fmt::format("{} printed no version", command), {}};
    return {boost::system::in_place_value, std::move(version)};
  }
};

}  // namespace

std::vector<Result<std::string>> ask_versions(const std::vector<ProcessOptions>& programs,
                                              milliseconds limit) {
  relay::EventLoop loop;
  std::vector<Asked> all(programs.size());
  std::size_t running = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    Asked& asked = all[i];
    ProcessOptions options = programs[i];
    options.working_directory = "/";
    Result<std::unique_ptr<ServerProcess>> process = start_server(
        loop, options,
        {.on_output = [&asked](std::string_view bytes) { asked.take(asked.output, bytes); },
         .on_error_output = [&asked](std::string_view bytes) { asked.take(asked.error_output, bytes); },
         .on_exit =
             [&](ExitStatus status) {
               asked.status = status;
               if (--running == 0) loop.stop();
             }});
    if (!process) {
      asked.not_started = process.error();
      continue;
    }
    asked.process = std::move(*process);
    asked.process->close_input();
    ++running;
  }
  loop.later(limit, [&loop] { loop.stop(); });
  if (running > 0) loop.run();
  std::vector<Result<std::string>> answers;
  for (std::size_t i = 0; i < programs.size(); ++i) answers.push_back(all[i].answer(programs[i], limit));
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
