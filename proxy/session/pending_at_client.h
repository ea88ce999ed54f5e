// The requests of the server that the client has not answered yet. When a server dies, the client's answers
// to it may be on their way: the next server must not get them, and its own requests must not be mixed up
// with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace symbols::session {

// Single-threaded. Ids are raw bytes. Servers count their requests from 0, so the second one uses ids that
// the client may still owe the first one an answer to: those are replaced on their way, and back.
class PendingAtClient {
 public:
  // Beyond it, and beyond 256 bytes of an id, requests are not tracked: their answers pass.
  static constexpr std::size_t most = 4096;

  // No other ids begin with `prefix`.
  explicit PendingAtClient(const std::string& prefix);

  // The server sends a request. Returns its body with another id if a dead server used the id; none if it
  // passes as it is. `server_waits`: the server may do nothing until it has the answer.
  std::optional<std::string> asked(std::string_view id, std::string_view body, bool server_waits);
  // Returns the id of a request of ours whose answer is dropped.
  std::string own_request();

  // The client sends an answer. Returns the body that replaces it, empty if it is dropped; none if it passes
  // as it is. An answer to an id of ours never passes.
  std::optional<std::string> answered(std::string_view id, std::string_view body);

  // The server is gone: the answers that the client owes it are dropped.
  void server_lost();

  // Whether the present server waits for the client.
  bool server_waits() const { return waited_for_ > 0; }

 private:
  struct Owed {
    std::string id;  // the server's own
    bool server_waits = false;
  };

  std::string new_id();
  void add(std::string id, std::string_view original, bool server_waits);

  std::string prefix_;  // of ids that are made here
  std::uint64_t last_ = 0;
  // What the client owes the present server, by the id that the client knows.
  std::unordered_map<std::string, Owed, StringHash, std::equal_to<>> owed_;
  std::size_t waited_for_ = 0;  // of them, those that the server waits for
  std::unordered_set<std::string, StringHash, std::equal_to<>> stale_;  // what it owes dead ones, and us
};

}  // namespace symbols::session
