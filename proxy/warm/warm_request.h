// What goes over the connection of a call to the daemon. First the request. Back come single bytes that
// report on the answer. Once the daemon is ready for a run it gets the caller's standard output and standard
// error (SCM_RIGHTS), to which it writes the answer itself: not before, because a reader of these waits for
// all who have them, and a daemon may be stopped. Both ends are of the same build.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "proxy/terminal/terminal.h"

namespace symbols::warm {

enum class Wanted : char {
  run = 'r',   // an answer
  list = 'l',  // a description of what is kept, before report::end
  stop = 's',  // the end of the daemon
};

// What is about the run is for Wanted::run.
struct Request {
  Wanted wanted = Wanted::run;
  std::string folder = "/";     // the working directory, absolute
  terminal::Console console{};  // that of the standard output
  bool message_colour = false;
  bool shows_progress = false;
  std::vector<std::string> arguments{};  // of the command line, without the program's name
};

// The payload of the request, and back. None for what is not one.
std::string write_request(const Request& request);
std::optional<Request> read_request(std::string_view payload);

// The payload with its size before it, as it is sent.
std::string frame_of(std::string_view payload);
// The payload that a whole frame has; none where more bytes are needed.
std::optional<std::string_view> payload_of(std::string_view frame);

namespace report {
inline constexpr std::string_view ready = "r";  // for the streams
inline constexpr std::string_view alive = "a";
inline constexpr std::string_view writes = "w";       // from now on the daemon writes to the caller's streams
inline constexpr std::string_view cold = "c";         // nothing was written, and the call has to answer
inline constexpr std::string_view reader_gone = "p";  // of standard output
inline constexpr std::string_view end = "x";          // the exit status follows, as one byte
}  // namespace report

// Standard output and standard error.
using Streams = std::array<Descriptor, 2>;

// Sends a byte with our own streams beside it.
void send_streams(int connection);
// What there is to read. The streams beside it become `streams`. None: the other side is gone.
std::optional<std::string> receive(int connection, Streams& streams);

}  // namespace symbols::warm
