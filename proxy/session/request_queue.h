// The requests that are under way, by their ids: those that the client waits for, whichever side answers
// them, and our own to the server.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/string_hash.h"
#include "lsp/outgoing_requests.h"
#include "proxy/query/answer.h"

namespace symbols::session {

// Single-threaded. Ids are kept as the bytes that came: `1` is not `"1"`, 9007199254740993 stays itself.
class RequestQueue {
 public:
  // Beyond it no more are kept, and neither is a longer id; none of their messages is touched by that.
  static constexpr std::size_t most_waiting = std::size_t{1} << 16;
  static constexpr std::size_t longest_id = 256;

  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    // The client has got the last answer that it waited for.
    std::function<void()> on_all_answered;
  };

  // `prefix` begins the ids of our own requests, and no other.
  RequestQueue(const std::string& prefix, Callbacks callbacks);

  // The client waits for an answer to this one.
  void add(std::string_view client_id);
  // It has got it: what the server answered passes, or is about to.
  void answered(std::string_view client_id);
  // Sends it our answer.
  void answer(std::string_view client_id, const query::Answer& answer);
  // Sends an error for one that was not added, or is to stay.
  void refuse(std::string_view client_id, int code, std::string_view message);
  std::size_t waiting() const { return waiting_.size(); }
  bool is_waiting(std::string_view client_id) const { return waiting_.contains(client_id); }
  // The ids of all, which are awaited no more.
  std::vector<std::string> take_waiting();

  // Our own.
  lsp::OutgoingRequests& own() { return own_; }
  const lsp::OutgoingRequests& own() const { return own_; }

 private:
  Callbacks callbacks_;
  std::unordered_set<std::string, StringHash, std::equal_to<>> waiting_;
  lsp::OutgoingRequests own_;
};

}  // namespace symbols::session
