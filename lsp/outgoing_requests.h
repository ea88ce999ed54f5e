// The requests of one sender that still wait for their reply. Each carries its own continuation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lsp/reply.h"

namespace symbols::lsp {

// Ids are numbers, or strings `"PREFIX1"` where a prefix is given, so that they cannot collide with another
// sender's.
class OutgoingRequests {
 public:
  explicit OutgoingRequests(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  // A new number, whose reply goes to `handler`.
  RequestNumber add(ReplyHandler handler);
  // The id of a number as it stands in a message (JSON text).
  std::string id(RequestNumber number) const;
  // The number of an id (JSON text as received); none where it is none that
  // this sender has given out.
  std::optional<RequestNumber> number(std::string_view id) const;

  // Hands `reply` to the handler of the request with this id. False where nothing waits for it: a duplicate,
  // a late reply to a forgotten request, an id of somebody else. The handler may add requests.
  bool settle(std::string_view id, const Reply& reply);
  // The handler will not be called any more. False where it was settled before.
  bool forget(RequestNumber number) { return handlers_.erase(number) > 0; }
  std::size_t size() const { return handlers_.size(); }

 private:
  std::string prefix_;
  RequestNumber last_ = 0;
  std::unordered_map<RequestNumber, ReplyHandler> handlers_;
};

}  // namespace symbols::lsp
