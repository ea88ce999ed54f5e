// The cheapest way to read and write LSP messages on blocking descriptors, so that what bench/relay.mjs
// measures is the relay between the two ends and not the ends themselves: one write(2) a message, large
// bodies counted and thrown away.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace bench {

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

inline std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

inline void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot write: the other end is gone");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/** The number that stands right after the first `name` in `json`, which must hold it; our own messages have
 * no blanks. */
inline std::size_t number_after(std::string_view json, std::string_view name) {
  const std::size_t at = json.find(name);
  if (at == std::string_view::npos)
    fail("no " + std::string(name) + " in " + std::string(json.substr(0, 200)));
  return std::strtoul(json.data() + at + name.size(), nullptr, 10);
}

struct Message {
  std::size_t length = 0;  // of the body, in bytes
  std::string_view
      start;  // of the body: all of it, or its first 512 bytes; valid until the next call of next()
};

class MessageReader {
 public:
  explicit MessageReader(int fd) : fd_(fd), buffer_(new char[capacity]) {}

  /** Waits for the next message and reads it to its end; false at the end of input. */
  bool next(Message& message) {
    std::size_t header = std::string_view::npos;
    while ((header = unread().find("\r\n\r\n")) == std::string_view::npos) {
      if (!read_more()) return false;
    }
    message.length = number_after(unread(), "Content-Length: ");
    begin_ += header + 4;
    const std::size_t wanted = std::min(message.length, start_size);
    while (unread().size() < wanted) {
      if (!read_more()) fail("the input ended inside a message");
    }
    start_.assign(unread().substr(0, wanted));
    message.start = start_;
    for (std::size_t left = message.length;;) {
      const std::size_t here = std::min(left, unread().size());
      begin_ += here;
      left -= here;
      if (left == 0) return true;
      if (!read_more()) fail("the input ended inside a message");
    }
  }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 20;
  static constexpr std::size_t start_size = 512;

  std::string_view unread() const { return {buffer_.get() + begin_, end_ - begin_}; }

  bool read_more() {
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == capacity) {
      std::copy(buffer_.get() + begin_, buffer_.get() + end_, buffer_.get());
      end_ -= begin_;
      begin_ = 0;
    }
    for (;;) {
      const ssize_t size = ::read(fd_, buffer_.get() + end_, capacity - end_);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return false;
      end_ += static_cast<std::size_t>(size);
      return true;
    }
  }

  int fd_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string start_;
};

}  // namespace bench
