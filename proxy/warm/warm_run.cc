#include "proxy/warm/warm_run.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "proxy/runs/document_run.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_client.h"

namespace symbols::warm {

bool may_be_warm(const runs::DumpArguments& in_effect) {
  const std::vector<std::string>& paths = in_effect.inputs.paths;
  return in_effect.answers.warm.value_or(false) && in_effect.log.empty() &&
         std::find(paths.begin(), paths.end(), "-") == paths.end() && in_effect.inputs.files_from != "-";
}

std::optional<int> run_warm(const runs::DumpArguments& in_effect, const terminal::Console& console) {
  // The daemon reports every second that it goes on.
  constexpr std::chrono::milliseconds patience{10'000};
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::current_path(failure);
  const Descriptor connection = failure ? Descriptor() : reach();
  if (!connection) return std::nullopt;
  const auto colour = in_effect.answers.color.value_or(terminal::ColourUse::automatic);
  const bool shows_progress = terminal::obeys_escapes(STDERR_FILENO);
  const Reply reply = ask(connection.get(),
                          {.folder = folder.string(),
                           .output_is_terminal = console.is_terminal,
                           .output_colour = console.colour,
                           .message_colour = terminal::colour_wanted(STDERR_FILENO, colour),
                           .shows_progress = shows_progress,
                           .width = console.width,
                           .arguments = in_effect.words},
                          patience);
  if (reply.status) return reply.status;
  if (reply.bytes.ends_with(report::reader_gone)) runs::die_by(SIGPIPE);
  if (reply.bytes.ends_with(report::cold)) return std::nullopt;
  if (shows_progress) std::fputs("\r\x1B[K", stderr);  // the line that a lost daemon has left there
  if (reply.bytes.find(report::writes) == std::string::npos) return std::nullopt;
  terminal::tell(
      "the background process was lost in the middle of the answer; run this again or without --warm");
  return 1;
}

}  // namespace symbols::warm
