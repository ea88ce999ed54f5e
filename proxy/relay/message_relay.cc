#include "proxy/relay/message_relay.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace symbols::relay {
namespace {

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

}  // namespace symbols::relay
