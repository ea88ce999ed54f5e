#include "proxy/process/program_version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

  Result<std::string> answer(const VersionQuestion& question, milliseconds limit) const {
    const std::string command = fmt::format("{} {}", question.program, fmt::join(question.arguments, " "));
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

std::vector<Result<std::string>> ask_versions(const std::vector<VersionQuestion>& questions,
                                              milliseconds limit) {
  relay::EventLoop loop;
  std::vector<Asked> all(questions.size());
  std::size_t running = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Asked& asked = all[i];
    Result<std::unique_ptr<ServerProcess>> process = start_server(
        loop,
        {.program = questions[i].program,
         .arguments = questions[i].arguments,
         .working_directory = "/",
         .environment = questions[i].environment,
         .inherited_environment = questions[i].inherited_environment},
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
  for (std::size_t i = 0; i < questions.size(); ++i) answers.push_back(all[i].answer(questions[i], limit));
  return answers;
}

std::string version_in(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    // "v1.2" is a version, "llvm14.0" is not.
    const bool after_v = i > 0 && (text[i - 1] == 'v' || text[i - 1] == 'V');
    const char before = i < (after_v ? 2U : 1U) ? ' ' : text[i - (after_v ? 2 : 1)];
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool has_dot = end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]);
    const bool starts =
        !is_letter(before) && !is_digit(before) && before != '.' && before != '-' && before != '_';
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end]) ||
                                 std::string_view(".-+_").find(text[end]) != std::string_view::npos))
      ++end;
    if (has_dot && starts) {
      while (!is_digit(text[end - 1]) && !is_letter(text[end - 1])) --end;
      return std::string(text.substr(i, end - i));
    }
    i = end - 1;
  }
  return {};
}

}  // namespace symbols::process
