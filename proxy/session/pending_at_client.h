// The requests of the server that the client has not answered yet. When a server dies, the client's answers
// to it are on their way; the server that takes its place must not get them, nor answers to its own requests
// be taken for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/string_hash.h"

namespace symbols::session {

// Single-threaded. Ids are raw bytes. Servers count their requests from 0, so the second one uses ids that
// the client may still owe the first one an answer to: those are replaced on their way, and back.
class PendingAtClient {
 public:
  // Beyond it, and beyond 256 bytes of an id, requests are not followed: their answers pass.
  static constexpr std::size_t most = 4096;

  // `prefix` begins ids that nobody else uses.
  explicit PendingAtClient(const std::string& prefix);

  // The server sends a request. Its body with another id, where the id is owed to a dead server; none where
  // it passes as it is. `server_waits`: the server may well do nothing before it has its answer.
  std::optional<std::string> asked(std::string_view id, std::string_view body, bool server_waits);
  // A request of ours, whose answer is for nobody: its id.
  std::string own_request();

  // The client sends an answer. What the server gets in its place, which is nothing where it is empty; none
  // where it passes as it is. An id of ours never does, however often it is answered.
  std::optional<std::string> answered(std::string_view id, std::string_view body);

  // The server is gone: all that the client owes it is for nobody.
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
