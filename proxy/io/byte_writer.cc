#include "proxy/io/byte_writer.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "proxy/system/descriptors.h"

namespace symbols::io {

void ByteWriter::write(std::string_view bytes) {
  if (!takes_bytes()) return;
  if (!held_ && unwritten() == 0) {
    bytes.remove_prefix(put(bytes));
    if (bytes.empty() || !takes_bytes()) return;
  }
  queue_ += bytes;
  if (!held_) wait();
}

void ByteWriter::lend(std::string_view bytes) {
  if (!takes_bytes() || unwritten() > 0) return write(bytes);
  lent_ = bytes;
  if (!held_ && !write_out()) wait();
}

void ByteWriter::release() {
  held_ = false;
  const bool is_closing = state_ == State::closing;
  if (unwritten() == 0 || waiting_) return;
  if (!write_out()) return wait();
  if (is_closing) callbacks_.on_empty();
}

// How many of the bytes the descriptor takes now. Where it takes nothing any more, fail() has been called.
std::size_t ByteWriter::put(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const ssize_t size = ::write(descriptor_, bytes.data() + taken, bytes.size() - taken);
    if (size >= 0) {
      taken += static_cast<std::size_t>(size);
      total_written_ += static_cast<std::uint64_t>(size);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      fail(errno);
      break;
    }
  }
  return taken;
}

void ByteWriter::wait() {
  if (descriptor_ < 0 || std::exchange(waiting_, true)) return;
  loop_.watch(descriptor_, EventLoop::Wanted::room, [this] { write_queue(); });
}

void ByteWriter::write_rest(milliseconds patience) {
  const auto end = steady_clock::now() + patience;
  while (takes_bytes() && unwritten() > 0) {
    const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
    pollfd room{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    if (left.count() <= 0 || ::poll(&room, 1, static_cast<int>(left.count())) <= 0) return;
    write_queue();
  }
}

void ByteWriter::write_queue() {
  if (write_out()) callbacks_.on_empty();
}

// Whether the queue is empty because all was written; a dropped queue has been reported already.
bool ByteWriter::write_out() {
  if (borrows()) {
    const std::size_t taken = put(lent_);
    if (broken()) return false;
    lent_.remove_prefix(taken);
    if (borrows()) return false;
  }
  const std::size_t taken = put(std::string_view(queue_).substr(written_));
  if (broken()) return false;
  written_ += taken;
  if (written_ < queue_.size()) {
    // What a slow reader has taken is not kept until the last byte is gone. Each byte is moved once at most
    // for one that was taken: a queue of any length takes linear time.
    constexpr std::size_t worth_moving = std::size_t{1} << 20;
    if (written_ >= worth_moving && written_ >= queue_.size() / 2) {
      queue_.erase(0, written_);
      written_ = 0;
    }
    return false;
  }
  // A large message's memory goes with it.
  constexpr std::size_t worth_keeping = std::size_t{256} << 10;
  if (queue_.capacity() > worth_keeping) {
    queue_ = {};
  } else {
    queue_.clear();
  }
  written_ = 0;
  if (std::exchange(waiting_, false)) loop_.unwatch(descriptor_);
  if (state_ == State::closing) close_descriptor();
  return true;
}

void ByteWriter::fail(int error) {
  if (broken()) return;
  state_ = State::broken;
  lent_ = {};
  queue_ = {};
  written_ = 0;
  close_descriptor();
  callbacks_.on_broken(error);
  callbacks_.on_empty();
}

void ByteWriter::close() {
  if (!takes_bytes()) return;
  state_ = State::closing;
  if (unwritten() > 0) return;
  close_descriptor();
  callbacks_.on_empty();
}

void ByteWriter::replace(int descriptor) {
  close_descriptor();
  descriptor_ = descriptor;
  lent_ = {};
  queue_ = {};
  written_ = 0;
  state_ = descriptor < 0 ? State::broken : State::open;
}

void ByteWriter::close_descriptor() {
  if (descriptor_ < 0) return;
  if (std::exchange(waiting_, false)) loop_.unwatch(descriptor_);
  ::close(descriptor_);
  descriptor_ = -1;
}

StandardStream::StandardStream(int descriptor) : standard_(descriptor) {
  struct stat status {};
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (::fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || ::isatty(descriptor) == 1)) {
    descriptor_ = system::reopened(descriptor, (flags & O_ACCMODE) | O_NONBLOCK);
    if (descriptor_) return;
  }
  descriptor_ = Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (flags >= 0 && (flags & O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
    flags_to_restore_ = flags;
}

StandardStream::~StandardStream() {
  if (flags_to_restore_ >= 0) ::fcntl(standard_, F_SETFL, flags_to_restore_);
}

void write_shared_error(std::string_view text, milliseconds patience) {
  // A pipe that polls ready takes at least PIPE_BUF bytes without blocking, and maybe no more; a terminal, of
  // which nothing is promised, at least a line most often.
  const std::size_t at_once = ::isatty(STDERR_FILENO) == 1 ? 256 : PIPE_BUF;
  while (!text.empty()) {
    pollfd room{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    const int ready = ::poll(&room, 1, static_cast<int>(patience.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    const ssize_t size = ::write(STDERR_FILENO, text.data(), std::min(text.size(), at_once));
    if (size < 0) return;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

}  // namespace symbols::io
