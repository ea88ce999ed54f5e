#include "proxy/relay/relay_direction.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace symbols::relay {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;  // as much as a pipe holds
// What may wait to be written before reading pauses.
constexpr std::size_t max_unwritten = std::size_t{256} << 10;
// The same for answers to the side that is read from: it sends requests and reads none of them.
constexpr std::size_t max_unread_answers = std::size_t{4} << 20;
// Below this two calls of splice cost more than a copy.
constexpr std::uint64_t worth_splicing = std::uint64_t{64} << 10;
// So many reads in a row, then the other direction gets its turn.
constexpr int reads_per_turn = 16;
// What passes waits for so many rests of a millisecond at most.
constexpr int most_rests_gathered = 3;

}  // namespace

RelayDirection::RelayDirection(EventLoop& loop, int from, ByteWriter& to, ByteWriter& back, bool may_splice,
                               Callbacks callbacks)
    : loop_(loop),
      from_(from),
      to_(to),
      back_(back),
      callbacks_(std::move(callbacks)),
      relay_(relay_callbacks()),
      buffer_(buffer_size),
      may_splice_(may_splice),
      rest_(loop) {}

MessageRelay::Callbacks RelayDirection::relay_callbacks() {
  MessageRelay::Callbacks callbacks = std::move(callbacks_.messages);
  if (!callbacks.forward) {
    callbacks.forward = [this](std::string_view bytes, bool frame_open) { to_.write(bytes, frame_open); };
  }
  callbacks.take = [this, take = std::move(callbacks.take)](std::string_view body) {
    // It may be the last reply, after which a large table is made: what passed before does not wait for that.
    if (gathering_ && !callbacks_.may_gather()) stop_gathering();
    if (gathering_) return take(body);
    to_.hold();  // what is asked because of one message
    const bool taken = take(body);
    to_.release();
    return taken;
  };
  return callbacks;
}

void RelayDirection::stop_gathering() {
  rests_gathered_ = 0;
  if (std::exchange(gathering_, false)) to_.release();
}

RelayDirection::~RelayDirection() {
  gathering_ = false;  // the reader may be gone, and no write would notice
  stop();
}

void RelayDirection::stop() {
  enter(State::ended);
  stop_gathering();
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
  } else if (next == State::held_back) {
    watch_hangup();
  } else if (next == State::resting) {
    rest_.start(std::chrono::milliseconds(stored_.any() ? 0 : 1), [this] {
      state_ = State::idle;
      read_some();  // there is something, most often: no need to be told
    });
  } else if (next == State::paused) {
    loop_.watch(from_.get(), EventLoop::Wanted::input, [this] { store(); });
  }
}

// That the other side has closed may be all that is left to happen.
void RelayDirection::watch_hangup() {
  if (!callbacks_.on_hangup) return;
  loop_.watch(from_.get(), EventLoop::Wanted::hangup, [this] {
    loop_.unwatch(from_.get());  // it would be told again and again
    callbacks_.on_hangup();
  });
}

void RelayDirection::wait_for_input() {
  enter(stored_.any() ? State::resting : State::waiting);
}

void RelayDirection::pause() {
  stop_gathering();
  enter(State::paused);
}

void RelayDirection::go_on() {
  if (state_ == State::paused) wait_for_input();
}

void RelayDirection::store() {
  const ssize_t size = ::read(from_.get(), buffer_.data(), buffer_.size());
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (size > 0) stored_.bytes.append(buffer_.data(), static_cast<std::size_t>(size));
  stored_.has_end = size <= 0;
  if (!stored_.has_end && stored_.bytes.size() < most_stored) return;
  loop_.unwatch(from_.get());
  if (!stored_.has_end) {
    watch_hangup();
  } else if (callbacks_.on_hangup) {
    callbacks_.on_hangup();
  }
}

// A server that answers 32 requests of ours writes each reply by itself, most often with a line of its log
// for the client. Reading these one by one wakes us and the client for each, on processors that the server
// could use: the client is written to after a few rests only, unless there is an answer for it.
void RelayDirection::rest() {
  if (gathering_ && (to_.holds_own_frame() || ++rests_gathered_ > most_rests_gathered)) stop_gathering();
  enter(State::resting);
}

void RelayDirection::resume() {
  if (state_ == State::held_back) wait_for_input();
}

bool RelayDirection::must_hold_back() const {
  return to_.unwritten() > max_unwritten || callbacks_.unread_answers() > max_unread_answers;
}

void RelayDirection::read_some() {
  for (int i = 0; i < reads_per_turn && !ended(); ++i) {
    if (must_hold_back()) {
      // What is held, by this direction or the other one, may be all that is too much: nothing calls back
      // when it is written.
      stop_gathering();
      back_.release();
      if (ended()) return;
    }
    if (must_hold_back()) {
      enter(State::held_back);
      return;
    }
    switch (step()) {
      case Step::more:
        continue;
      case Step::emptied:
        if (callbacks_.may_rest && callbacks_.may_rest()) {
          rest();
          return;
        }
        [[fallthrough]];
      case Step::wait_for_input:
        stop_gathering();
        wait_for_input();
        return;
      case Step::wait_for_room:
        stop_gathering();
        enter(State::held_back);
        to_.wait();
        return;
      case Step::ended:
        end();
        return;
    }
  }
  stop_gathering();
  wait_for_input();  // the loop calls back at once, after its other work
}

RelayDirection::Step RelayDirection::step() {
  if (may_splice_ && !stored_.any() && to_.takes_bytes()) {
    if (const std::uint64_t size = relay_.may_skip(); size >= worth_splicing && to_.unwritten() == 0) {
      return splice_once(size);
    }
  }
  return read_once();
}

RelayDirection::Step RelayDirection::read_once() {
  if (stored_.any()) return take_stored();
  const ssize_t size = ::read(from_.get(), buffer_.data(), buffer_.size());
  if (size < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Step::wait_for_input;
    return errno == EINTR ? Step::more : Step::ended;
  }
  if (size == 0) return Step::ended;
  return take({buffer_.data(), static_cast<std::size_t>(size)});
}

RelayDirection::Step RelayDirection::take_stored() {
  const std::string_view bytes = std::string_view(stored_.bytes).substr(stored_.at, buffer_.size());
  if (bytes.empty()) return Step::ended;
  stored_.at += bytes.size();
  (void)take(bytes);
  if (stored_.at == stored_.bytes.size()) stored_ = {.bytes = {}, .at = 0, .has_end = stored_.has_end};
  return Step::more;
}

RelayDirection::Step RelayDirection::take(std::string_view bytes) {
  if (callbacks_.may_gather && callbacks_.may_gather()) gathering_ = true;
  if (gathering_) to_.hold();  // again: the other direction has released it if something went that way
  back_.hold();                // what goes back because of several messages that came together
  received_ += bytes.size();
  relay_.receive(bytes);
  back_.release();
  // A buffer that was not filled has emptied the pipe: most often there is nothing to be read just now.
  return bytes.size() < buffer_.size() ? Step::emptied : Step::more;
}

// A large body goes in larger portions, which is what its speed depends on (half as fast again). Where the
// system does not let us, it goes in small ones.
void RelayDirection::widen_pipes() {
  constexpr int wide = 256 * 1024;
  if (std::exchange(pipes_widened_, true)) return;
  for (const int end : {from_.get(), to_.descriptor()}) {
    if (::fcntl(end, F_GETPIPE_SZ) < wide) (void)::fcntl(end, F_SETPIPE_SZ, wide);
  }
}

RelayDirection::Step RelayDirection::splice_once(std::uint64_t size) {
  widen_pipes();
  const std::int64_t moved = to_.splice_from(
      from_.get(), static_cast<std::size_t>(std::min<std::uint64_t>(size, std::uint64_t{1} << 30)));
  if (moved > 0) {
    received_ += static_cast<std::uint64_t>(moved);
    relay_.skipped(static_cast<std::uint64_t>(moved));
    return Step::more;
  }
  if (moved == 0) return Step::ended;
  if (errno == EPIPE) return Step::more;  // what comes is dropped from now on
  if (errno != EAGAIN) {
    may_splice_ = false;  // of a kind that cannot be spliced to, such as a terminal
    return Step::more;
  }
  // Either side may be the one that is not ready.
  pollfd room{.fd = to_.descriptor(), .events = POLLOUT, .revents = 0};
  return ::poll(&room, 1, 0) > 0 ? Step::wait_for_input : Step::wait_for_room;
}

void RelayDirection::read_what_is_there() {
  // Bounded: a side that goes on writing must not keep us here.
  constexpr int most_reads = 64;
  for (int i = 0; i < most_reads && !ended(); ++i) {
    pollfd input{.fd = from_.get(), .events = POLLIN, .revents = 0};
    if (!stored_.any() && ::poll(&input, 1, 0) <= 0) break;
    if (read_once() == Step::ended) end();
  }
  stop_gathering();
}

void RelayDirection::end() {
  if (ended()) return;
  stop();
  if (const std::string words = relay_.end(); callbacks_.on_last_words && !words.empty()) {
    callbacks_.on_last_words(words);
  }
  callbacks_.on_end();
}

}  // namespace symbols::relay
