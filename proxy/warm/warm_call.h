// The listening side's end of a call: its request, and a way to answer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/descriptor.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/warm/warm_message.h"

namespace symbols::warm {

// One call. Its owner may let go of it in on_message, but in no other callback.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(relay::EventLoop& loop, Descriptor connection);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  std::function<void(Message)> on_message = [](const Message&) {};
  // The caller has closed its side, or sent what is no message. From the loop, never from within say().
  std::function<void()> on_gone = [] {};
  std::function<void()> on_written = [] {};  // all that was said has been taken by the system

  void say(Say say, std::string_view payload);
  std::size_t unwritten() const { return writer_.unwritten(); }
  bool gone() const { return gone_; }

 private:
  void read();
  void go_later();
  void go();

  relay::EventLoop& loop_;
  Descriptor input_;
  relay::ByteWriter writer_;
  MessageReader reader_;
  bool gone_ = false;
};

}  // namespace symbols::warm
