// The requests of one sender to a server, and their replies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lsp/messages.h"

namespace symbols::lsp {

struct ResponseError {
  int code = 0;
  std::string message;  // the server's own, not escaped for a terminal
};

// A result or an error. `result` is a view of the message from the first byte of the result or the error
// object to the end, valid only while the handler runs.
struct Reply {
  bool failed = false;
  std::string_view result;
  ResponseError error;
};

using ReplyHandler = std::function<void(const Reply&)>;

using RequestNumber = std::uint64_t;

// Sends requests to a server: a client session, or the proxy for its own requests.
class RequestSender {
 public:
  virtual ~RequestSender() = default;

  // Sends a request; `params` is JSON text, empty for none. Calls the handler once, later, unless cancelled.
  virtual RequestNumber request(std::string_view method, std::string_view params, ReplyHandler handler) = 0;
  // Sends $/cancelRequest; the handler is no longer called, and a late reply is ignored. Does nothing for a
  // request that was answered.
  virtual void cancel(RequestNumber number) = 0;
};

// Single-threaded. Ids are numbers, or strings `"PREFIX1"` where a prefix is given, so that they cannot
// collide with those of a client on the same connection.
class OutgoingRequests : public RequestSender {
 public:
  // `send` takes a whole body for the server.
  explicit OutgoingRequests(std::function<void(std::string body)> send, std::string prefix = {});

  RequestNumber request(std::string_view method, std::string_view params, ReplyHandler handler) override;
  void cancel(RequestNumber number) override;

  // Whether an id, as raw bytes, has the form of ours, whichever request it is of: one that waits, one that
  // was answered or cancelled, or none.
  bool is_own(std::string_view id) const { return number(id).has_value(); }
  // A reply or an error of the server. One that is not awaited (late, sent twice, of another sender) is
  // ignored. The handler may send requests.
  void receive(const Envelope& reply);
  // The reply with this id has arrived and is not read: the handler gets an error with the reason.
  void fail(std::string_view id, std::string_view reason);

  // The server is gone: the waiting handlers get an error with the reason.
  void fail_all(std::string_view reason);

  // From now on nothing is sent: requests and cancellations are dropped, and handlers of new requests never
  // called. For the end of a session, when what `send` writes to is destroyed before the owners of requests.
  void close() {
    send_ = [](const std::string&) {};
  }

  // Requests that wait for their reply.
  std::size_t size() const { return handlers_.size(); }

 private:
  // The id of a number as JSON text, and the other way round.
  std::string id(RequestNumber number) const;
  std::optional<RequestNumber> number(std::string_view id) const;
  void settle(std::string_view id, const Reply& reply);

  std::function<void(std::string body)> send_;
  std::string prefix_;
  RequestNumber last_ = 0;
  std::unordered_map<RequestNumber, ReplyHandler> handlers_;
};

}  // namespace symbols::lsp
