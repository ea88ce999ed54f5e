#include "proxy/warm/warm_run.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/number.h"
#include "proxy/runs/document_run.h"
#include "proxy/terminal/progress_line.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_client.h"

namespace symbols::warm {
namespace {

// The process says every second that it goes on.
constexpr std::chrono::milliseconds patience{10'000};
// Until so much has come, nothing is written: should the process be lost, the call can still answer by
// itself.
constexpr std::size_t held_back = std::size_t{4} << 20;

// Waits for a slow reader, as any program that writes to a pipe. 0 or errno.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

class PassOn {
 public:
  explicit PassOn(terminal::ColourUse colour) : colour_(terminal::colour_wanted(STDERR_FILENO, colour)) {}

  // Returns false at the end.
  bool take(const Message& message) {
    switch (message.say) {
      case Say::output:
      case Say::message:
        held_size_ += message.payload.size();
        held_.push_back(message);
        if (wrote_ || held_size_ > held_back) write_held();
        return error_ == 0;
      case Say::progress:
        write_all(STDERR_FILENO,
                  message.payload.empty() ? progress_.clear() : progress_.show(message.payload));
        return true;
      case Say::end:
        write_held();
        status_ = whole_number<int>(message.payload).value_or(1);
        return false;
      case Say::cold:
        return false;
      default:
        return true;
    }
  }

  bool wrote() const { return wrote_; }
  int error() const { return error_; }
  std::optional<int> status() const { return status_; }
  void clear_progress() { write_all(STDERR_FILENO, progress_.clear()); }

 private:
  void write_held() {
    clear_progress();
    for (const Message& message : std::exchange(held_, {})) {
      wrote_ = true;
      if (message.say == Say::message) {
        write_all(STDERR_FILENO, terminal::message_line(message.payload, colour_));
      } else if (error_ == 0) {
        error_ = write_all(STDOUT_FILENO, message.payload);
      }
    }
  }

  bool colour_;
  terminal::ProgressLine progress_;
  std::vector<Message> held_;
  std::size_t held_size_ = 0;
  bool wrote_ = false;
  int error_ = 0;
  std::optional<int> status_;
};

std::optional<int> run_by(const Descriptor& connection, const std::vector<std::string>& words,
                          const terminal::Console& console, terminal::ColourUse colour) {
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::current_path(failure);
  if (failure || !connection) return std::nullopt;
  PassOn pass_on(colour);
  const std::string request = write_request({.folder = folder.string(),
                                             .output_is_terminal = console.is_terminal,
                                             .output_colour = console.colour,
                                             .shows_progress = terminal::obeys_escapes(STDERR_FILENO),
                                             .width = console.width,
                                             .arguments = words});
  const bool ended = exchange(connection.get(), Say::run, request, patience,
                              [&](const Message& message) { return pass_on.take(message); });
  pass_on.clear_progress();
  if (pass_on.error() == EPIPE) runs::die_by(SIGPIPE);
  if (pass_on.error() != 0) {
    terminal::tell(std::string("cannot write the answer: ") + std::strerror(pass_on.error()));
    return 1;
  }
  if (pass_on.status()) return pass_on.status();
  if (!pass_on.wrote()) return std::nullopt;
  terminal::tell("the background process was lost in the middle of the answer; run this again" +
                 std::string(ended ? "" : " or without --warm"));
  return 1;
}

}  // namespace

bool may_be_warm(const settings::DumpArguments& in_effect) {
  const std::vector<std::string>& paths = in_effect.inputs.paths;
  return in_effect.answers.warm.value_or(false) && in_effect.log.empty() &&
         std::find(paths.begin(), paths.end(), "-") == paths.end() && in_effect.inputs.files_from != "-";
}

std::optional<int> run_warm(const settings::DumpArguments& in_effect, const terminal::Console& console) {
  return run_by(reach(), in_effect.words, console,
                in_effect.answers.color.value_or(terminal::ColourUse::automatic));
}

}  // namespace symbols::warm
