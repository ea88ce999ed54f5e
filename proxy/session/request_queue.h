// The requests that are under way, by their ids: those that the client waits for, whoever is to answer them,
// and our own to the server.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/outgoing_requests.h"
#include "proxy/query/answer.h"
#include "proxy/session/client_requests.h"

namespace symbols::session {

// Single-threaded. Ids are raw JSON.
class RequestQueue {
 public:
  struct Callbacks {
    std::function<void(std::string body)> to_client;
    std::function<void(std::string body)> to_server;
    // The client has got the last answer that it waited for.
    std::function<void()> on_all_answered;
  };

  // `prefix` begins the ids of our own requests: nobody else's.
  RequestQueue(const std::string& prefix, Callbacks callbacks);

  // The client waits for an answer to this one.
  void add(std::string_view client_id) { incoming_.add(client_id); }
  // It has got it: what the server answered passes, or is about to.
  void answered(std::string_view client_id);
  // Sends it our answer.
  void answer(std::string_view client_id, const query::Answer& answer);
  // Sends an error for one that was not added, or is to stay.
  void refuse(std::string_view client_id, int code, std::string_view message);
  std::size_t waiting() const { return incoming_.size(); }
  // The ids of all, for which nobody waits then.
  std::vector<std::string> take_waiting() { return incoming_.take_all(); }

  // Our own.
  lsp::OutgoingRequests& own() { return own_; }
  const lsp::OutgoingRequests& own() const { return own_; }

 private:
  Callbacks callbacks_;
  ClientRequests incoming_;
  lsp::OutgoingRequests own_;
};

}  // namespace symbols::session
