#include "proxy/io/relay_direction.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/clock.h"
#include "base/text.h"
#include "proxy/system/descriptors.h"

namespace symbols::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;  // as much as a pipe holds
// Reading pauses while more waits to be written.
constexpr std::size_t max_unwritten = std::size_t{256} << 10;
// The same for answers to the side that is read: it sends requests and reads no answers.
constexpr std::size_t max_unread_answers = std::size_t{4} << 20;
// Then the other direction gets its turn.
constexpr int reads_per_turn = 16;
// A longer message is worth wider pipes.
constexpr std::size_t large_message = std::size_t{256} << 10;

// Whether these bytes may be a frame's beginning.
bool may_begin_header(std::string_view bytes) {
  constexpr std::string_view begin = "content-";
  return std::ranges::equal(bytes.substr(0, begin.size()), begin.substr(0, bytes.size()), {}, lower_case);
}

}  // namespace

void MessageRelay::receive(std::string_view bytes) {
  if (unframed_) return callbacks_.forward(bytes, false);
  // No call of next() follows the last message: it would end the life of a frame that stays.
  do {
    const Result<std::optional<std::string_view>> body = reader_.next(bytes);
    if (!body) {
      unframed_ = true;
      callbacks_.forward(reader_.unfinished(), false);
      callbacks_.on_unframed(body.error());
      callbacks_.forward(bytes, false);
    } else if (*body && !callbacks_.take(**body)) {
      callbacks_.forward(reader_.frame(), reader_.keeps_frame() && bytes.empty());
    }
  } while (!bytes.empty() && !unframed_);
}

std::string MessageRelay::end() const {
  const std::string_view cut = reader_.unfinished();
  return std::string(unframed_ || reader_.has_header() || may_begin_header(cut) ? "" : cut);
}

RelayDirection::RelayDirection(EventLoop& loop, int from, ByteWriter& to, ByteWriter& back,
                               Callbacks callbacks)
    : loop_(loop),
      from_(from),
      to_(to),
      back_(back),
      callbacks_(std::move(callbacks)),
      relay_({.forward =
                  [this](std::string_view bytes, bool stay) {
                    stay&& bytes.size() > buffer_size ? to_.lend(bytes) : to_.write(bytes);
                  },
              .take = std::move(callbacks_.messages.take),
              .on_unframed = std::move(callbacks_.messages.on_unframed)}),
      buffer_(buffer_size),
      rest_(loop) {}

void RelayDirection::stop() {
  enter(State::ended);
  to_.keep_lent();
  from_ = Descriptor();
}

void RelayDirection::enter(State next) {
  if (state_ == next || ended()) return;
  if (state_ == State::waiting || state_ == State::held_back || state_ == State::paused)
    loop_.unwatch(from_.get());
  rest_.stop();
  state_ = next;
  if (next == State::waiting) {
    loop_.watch(from_.get(), EventLoop::Wanted::input, [this] { read_some(); });
  } else if ((next == State::held_back || next == State::paused) && callbacks_.on_hangup) {
    // The hangup may be the only event that is left.
    loop_.watch(from_.get(), EventLoop::Wanted::hangup, [this] {
      loop_.unwatch(from_.get());  // it would be reported again and again
      callbacks_.on_hangup();
    });
  } else if (next == State::resting) {
    rest_.start(milliseconds(1), [this] {
      state_ = State::idle;
      read_some();
    });
  }
}

void RelayDirection::read_some() {
  const std::uint64_t before = received_;
  for (int i = 0; i < reads_per_turn && !ended(); ++i) {
    if (to_.borrows() || to_.unwritten() > max_unwritten || callbacks_.unread_answers() > max_unread_answers)
      return enter(State::held_back);
    const Step step = read_once();
    if (step == Step::ended) return end();
    if (step == Step::wait_for_input) break;
  }
  if (received_ > before && callbacks_.may_rest && callbacks_.may_rest()) return enter(State::resting);
  enter(State::waiting);  // if there is more, the loop calls back at once, after its other work
}

RelayDirection::Step RelayDirection::read_once() {
  const std::span<char> rest = relay_.room();  // of a message
  const std::span<char> into = rest.empty() ? std::span(buffer_) : rest;
  const ssize_t size = ::read(from_.get(), into.data(), into.size());
  if (size < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Step::wait_for_input;
    return errno == EINTR ? Step::more : Step::ended;
  }
  if (size == 0) return Step::ended;
  const std::string_view bytes(into.data(), static_cast<std::size_t>(size));
  received_ += bytes.size();
  if (!rest.empty()) relay_.added(bytes.size());
  to_.hold();
  back_.hold();
  relay_.receive(rest.empty() ? bytes : std::string_view());
  back_.release();
  to_.release();
  if (relay_.unfinished() > large_message) widen_pipes();
  // A short read has emptied the pipe: usually there is nothing more to read just now.
  return bytes.size() < into.size() ? Step::wait_for_input : Step::more;
}

void RelayDirection::widen_pipes() {
  if (std::exchange(pipes_widened_, true)) return;
  for (const int end : {from_.get(), to_.descriptor()}) system::widen_pipe(end);
}

void RelayDirection::read_what_is_there() {
  to_.keep_lent();
  // Bounded, as the other side may continue to write.
  constexpr int max_reads = 64;
  for (int i = 0; i < max_reads && !ended(); ++i) {
    pollfd input{.fd = from_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 0) <= 0) break;
    if (read_once() == Step::ended) end();
    to_.keep_lent();
  }
}

void RelayDirection::end() {
  if (ended()) return;
  stop();
  if (const std::string words = relay_.end(); callbacks_.on_last_words && !words.empty())
    callbacks_.on_last_words(words);
  callbacks_.on_end();
}

}  // namespace symbols::io
