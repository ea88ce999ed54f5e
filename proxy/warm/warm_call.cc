#include "proxy/warm/warm_call.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

namespace symbols::warm {
namespace {

// A command line is 2 MiB at most on Linux, without larger limits.
constexpr std::size_t most_request = std::size_t{16} << 20;

}  // namespace

Call::Call(relay::EventLoop& loop, Descriptor connection)
    : loop_(loop),
      input_(::fcntl(connection.get(), F_DUPFD_CLOEXEC, 3)),
      writer_(loop, std::exchange(connection, Descriptor()).release(),
              {.on_empty = [this] { on_written(); }, .on_broken = [this](int) { go_later(); }}),
      reader_(most_request) {
  if (input_) loop_.watch(input_.get(), relay::EventLoop::Wanted::input, [this] { read(); });
}

Call::~Call() {
  if (input_) loop_.unwatch(input_.get());
}

void Call::say(Say say, std::string_view payload) {
  if (!gone_) writer_.write(frame_of(say, payload));
}

void Call::read() {
  const std::shared_ptr<Call> alive = shared_from_this();
  std::array<char, 65536> buffer;
  const ssize_t length = ::recv(input_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length <= 0) return go();
  reader_.add({buffer.data(), static_cast<std::size_t>(length)});
  while (std::optional<Message> message = reader_.next()) on_message(std::move(*message));
  if (reader_.too_large()) go();
}

// From the loop: the owner, which is told, is in the middle of saying something.
void Call::go_later() {
  loop_.later(std::chrono::milliseconds(0), [call = weak_from_this()] {
    if (const std::shared_ptr<Call> alive = call.lock()) alive->go();
  });
}

void Call::go() {
  if (std::exchange(gone_, true)) return;
  loop_.unwatch(input_.get());
  input_ = Descriptor();
  on_gone();
}

}  // namespace symbols::warm
