// The requests in flight, by their ids: the client's, whichever side answers them, and our own to the server.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "lsp/messages.h"
#include "lsp/requests.h"
#include "proxy/query/query_services.h"

namespace symbols::session {

// Single-threaded. Ids are kept as the bytes that came: `1` is not `"1"`, 9007199254740993 stays itself.
class RequestQueue {
 public:
  // Further requests, and those with longer ids, are not tracked. Their messages pass all the same.
  static constexpr std::size_t max_waiting = std::size_t{1} << 16;
  static constexpr std::size_t max_id_bytes = 256;

  using Ids = std::unordered_set<std::string, StringHash, std::equal_to<>>;
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    // The client waits for no answer any more.
    std::function<void()> on_all_answered;
  };

  // The ids of our own requests, and no others, begin with `prefix`.
  RequestQueue(const std::string& prefix, Callbacks callbacks)
      : callbacks_(std::move(callbacks)), own_(callbacks_.to_server, prefix) {}

  // A request of the client.
  void add(std::string_view client_id) {
    if (waiting_.size() < max_waiting && client_id.size() <= max_id_bytes) waiting_.emplace(client_id);
  }
  // It was answered, or is about to be.
  void answered(std::string_view client_id) {
    if (const auto found = waiting_.find(client_id); found != waiting_.end()) waiting_.erase(found);
    if (waiting_.empty()) callbacks_.on_all_answered();
  }
  // Sends our answer.
  void answer(std::string_view client_id, const query::Answer& answer) {
    callbacks_.to_client(answer.failed ? lsp::error_body(client_id, answer.json)
                                       : lsp::result_body(client_id, answer.json));
    answered(client_id);
  }
  // Sends an error, and leaves the queue as it is.
  void refuse(std::string_view client_id, int code, std::string_view message) {
    callbacks_.to_client(lsp::error_body(client_id, lsp::error_json(code, message)));
  }
  std::size_t waiting() const { return waiting_.size(); }
  // Removes all, and returns their ids.
  Ids take_waiting() { return std::exchange(waiting_, {}); }

  // Our own.
  lsp::OutgoingRequests& own() { return own_; }
  const lsp::OutgoingRequests& own() const { return own_; }

 private:
  Callbacks callbacks_;
  Ids waiting_;
  lsp::OutgoingRequests own_;
};

}  // namespace symbols::session
