#include "proxy/runs/run_output.h"

#include <unistd.h>

namespace symbols::runs {

OutputStreams OutputStreams::own(terminal::ColourUse colour) {
  return {.out = STDOUT_FILENO,
          .error = STDERR_FILENO,
          .colour = terminal::colour_wanted(STDERR_FILENO, colour),
          .shows_progress = terminal::obeys_escapes(STDERR_FILENO)};
}

StandardOutput::StandardOutput(relay::EventLoop& loop, const OutputStreams& streams)
    : error_stream_(streams.error),
      out_stream_(streams.out),
      errors_(loop, error_stream_.release(), {.on_empty = [this] { on_written(); }}),
      out_(loop, out_stream_.release(),
           {.on_empty = [this] { on_written(); }, .on_broken = [this](int error) { on_broken(error); }}),
      progress_(streams.error, streams.shows_progress),
      colour_(streams.colour) {}

void StandardOutput::write(std::string_view text) {
  errors_.write(progress_.clear());  // both may be on the same terminal
  out_.write(text);
}

void StandardOutput::tell(std::string_view message) {
  errors_.write(progress_.clear());
  errors_.write(terminal::message_line(message, colour_));
}

void StandardOutput::show_progress(std::string_view text) {
  if (text.empty()) {
    errors_.write(progress_.clear());
  } else if (errors_.unwritten() == 0) {
    errors_.write(progress_.show(text));
  }
}

}  // namespace symbols::runs
