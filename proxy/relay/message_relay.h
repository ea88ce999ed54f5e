// One direction of the proxy's traffic as whole messages: each is either consumed or passes as the bytes that
// came.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "lsp/frame.h"

namespace symbols::relay {

// No I/O: bytes are pushed in, bytes come out of a callback, all within receive(). Single-threaded.
class MessageRelay {
 public:
  struct Callbacks {
    // Bytes that pass. `stay`: they are valid until the next call of receive() or room().
    std::function<void(std::string_view bytes, bool stay)> forward;
    // A message's body. Returns whether it is consumed; else it passes.
    std::function<bool(std::string_view body)> take;
    // The bytes are not frames. From here on they pass as they are, and no callback but forward is called.
    std::function<void(const Error&)> on_unframed;
  };

  // A stream with a longer message counts as unframed.
  static constexpr std::uint64_t max_message = std::uint64_t{512} << 20;

  explicit MessageRelay(Callbacks callbacks) : callbacks_(std::move(callbacks)), reader_(max_message) {}

  void receive(std::string_view bytes);
  // Memory for some of the rest of a message, so that it need not be copied; may be empty. added() is called
  // with what was put there, and then receive().
  std::span<char> room() { return reader_.room(); }
  void added(std::size_t size) { reader_.added(size); }
  // The stream has ended. What has come of a message that is cut is dropped: a reader would take what is sent
  // next for the rest of it. But what cannot be the beginning of a header is returned, as it may be something
  // for the user ("error: no such option").
  std::string end() const;
  // The bytes that have come of a message that is not whole.
  std::size_t unfinished() const { return reader_.unfinished().size(); }

 private:
  Callbacks callbacks_;
  lsp::FrameReader reader_;
  bool unframed_ = false;
};

}  // namespace symbols::relay
