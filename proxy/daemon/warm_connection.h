// The connection of a call to the daemon: a Unix-domain socket in a folder of this user alone. What goes over
// it: first the request. Back come single bytes that report on the answer. Once the daemon is ready for a run
// it gets the caller's standard output and standard error (SCM_RIGHTS), to which it writes the answer itself:
// not before, because a reader of these waits for all who have them, and a daemon may be stopped. Both ends
// are of the same build.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/terminal/terminal.h"

namespace symbols::daemon {

// $XDG_RUNTIME_DIR/symbols, else /tmp/symbols-UID; made if it is missing. Error: it cannot be made, or
// belongs to somebody else, or others may enter it.
Result<fs::path> runtime_folder();

// The socket of the process that answers for this program and this environment: servers see the variables
// that they are started with, and another build may answer otherwise. What a shell or a terminal sets for
// itself does not count (SHLVL, COLUMNS, …).
fs::path socket_path(const fs::path& folder);

// All sockets in the folder, of other environments and builds too.
std::vector<fs::path> all_sockets(const fs::path& folder);

// A connection to the socket. None if nothing listens there, or it is not of this user.
Descriptor connect_to(const fs::path& socket);

// Listens on the socket, replacing one that has no listener. Error: it has one, or the system's.
Result<Descriptor> listen_on(const fs::path& socket);

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

}  // namespace symbols::daemon
