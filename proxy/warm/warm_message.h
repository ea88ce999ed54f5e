// What a call and the process that keeps servers say to each other: frames of one letter, the size of the
// payload (4 bytes, the lowest first) and the payload. Both are of the same build.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::warm {

enum class Say : char {
  // From the call, once.
  run = 'r',   // a Request
  list = 'l',  // what is kept?
  stop = 's',  // end
  // To the call.
  output = 'o',    // bytes for standard output
  message = 'e',   // for standard error, not escaped
  progress = 'p',  // the present text of the progress line
  alive = 'a',     // nothing yet, but it goes on
  cold = 'c',      // it cannot be answered here: the call has to
  end = 'x',       // the exit status, in decimal; the last one
};

struct Message {
  Say say{};
  std::string payload;
};

// A run, for the process that keeps servers.
struct Request {
  std::string folder;  // the working folder, absolute
  bool output_is_terminal = false;
  bool output_colour = false;
  bool shows_progress = false;
  std::size_t width = 0;
  std::vector<std::string> arguments;  // of the command line, without the program's name
};

std::string frame_of(Say say, std::string_view payload);

std::string write_request(const Request& request);
std::optional<Request> read_request(std::string_view payload);

// Takes messages apart.
class MessageReader {
 public:
  explicit MessageReader(std::size_t most_bytes) : most_(most_bytes) {}

  void add(std::string_view bytes) { bytes_.append(bytes); }
  // The next whole message. None: more bytes are needed, or too_large().
  std::optional<Message> next();
  bool too_large() const { return too_large_; }

 private:
  std::size_t most_;
  std::string bytes_;
  std::size_t read_ = 0;
  bool too_large_ = false;
};

}  // namespace symbols::warm
