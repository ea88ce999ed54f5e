// The proxy's own requests to the server, among those of its client: under ids that cannot be the client's.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "lsp/envelope.h"
#include "lsp/outgoing_requests.h"
#include "lsp/reply.h"

namespace symbols::session {

// Single-threaded. Handlers of failed requests get the raw error object as Reply::result too.
class OwnRequests : public lsp::RequestSender {
 public:
  // `prefix` begins the ids, which are strings; `send` takes a whole body for the server.
  OwnRequests(std::string prefix, std::function<void(std::string body)> send);

  // So many cancelled requests are known whose replies are owed: a server that never answers one must not
  // fill our memory.
  static constexpr std::size_t most_abandoned = 4096;

  lsp::RequestNumber request(std::string_view method, std::string_view params,
                             lsp::ReplyHandler handler) override;
  void cancel(lsp::RequestNumber number) override;

  // Whether an id, as raw bytes, is one of these: of a request that was cancelled, too.
  bool is_own(std::string_view id) const { return requests_.number(id).has_value(); }
  // A reply of the server with such an id. One that nobody waits for (late, or sent twice) is swallowed.
  void receive(const lsp::Envelope& reply);

  // Its reply has come and could not be kept: the handler gets an error that says why.
  void fail(std::string_view id, std::string_view reason);

  // Nothing is sent any more: there is no server, or no way to it.
  void close();

  // Whether the server still owes a reply to any, the cancelled included.
  bool in_flight() const { return requests_.size() > 0 || !abandoned_.empty(); }

 private:
  std::function<void(std::string body)> send_;
  lsp::OutgoingRequests requests_;
  std::set<lsp::RequestNumber> abandoned_;  // cancelled, and not answered yet
};

}  // namespace symbols::session
