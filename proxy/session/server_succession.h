// `--restart`: the state of a session that a server started in place of a dead one needs, and the messages
// that both sides get then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "lsp/messages.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"

namespace symbols::session {

// The requests of the server that the client has not answered yet. When a server dies, the client's answers
// to it may be on their way: the next server must not get them, and servers count their requests from 0, so
// the next one uses ids that the client still owes an answer to: those are replaced on their way, and back.
//
// Single-threaded. Ids are raw bytes.
class PendingAtClient {
 public:
  // Beyond it, and beyond 256 bytes of an id, requests are not tracked: their answers pass.
  static constexpr std::size_t max_requests = 4096;

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
  bool server_waits() const;

 private:
  struct Owed {
    std::string id;  // the server's own
    bool server_waits = false;
  };

  std::string new_id();

  std::string prefix_;  // of ids that are made here
  std::uint64_t last_ = 0;
  // What the client owes the present server, by the id that the client knows.
  std::unordered_map<std::string, Owed, StringHash, std::equal_to<>> owed_;
  std::unordered_set<std::string, StringHash, std::equal_to<>> stale_;  // what it owes dead ones, and us
};

// Observes messages and returns those to be sent; sends nothing itself. Bodies are kept as the server got
// them. Single-threaded.
class ServerSuccession {
 public:
  // Beyond it the oldest changes of workspace folders are dropped.
  static constexpr std::size_t max_folder_bytes = std::size_t{1} << 20;

  // The ids of the proxy's own requests begin with `id_prefix`.
  explicit ServerSuccession(const std::string& id_prefix) : at_client_(id_prefix) {}

  // The client has sent initialize; `id` is raw.
  void initialize(std::string_view id, std::string_view body);
  // A notification of the client. Repeated to a new server: `initialized`, the last $/setTrace, the last
  // workspace/didChangeConfiguration, every workspace/didChangeWorkspaceFolders; others are not kept.
  void notified(std::string_view method, std::string_view body);
  // The answer to the client's initialize has passed. From now on the server can be replaced.
  void initialized(std::string_view result);
  bool is_initialized() const { return !capabilities_.empty(); }

  // To be repeated to a new server: the request, then, after its reply, the notifications in this order.
  const std::string& initialize_body() const { return initialize_; }
  const std::string& initialize_id() const { return id_; }
  std::vector<std::string_view> notifications() const;
  // Whether the new server's capabilities differ from those that the client got.
  bool offers_other(std::string_view result) const;

  // A request of the server to the client. Returns its body if it needs another id.
  std::optional<std::string> asked(const lsp::Envelope& request, std::string_view body);
  PendingAtClient& at_client() { return at_client_; }
  const PendingAtClient& at_client() const { return at_client_; }

  // The server is gone. Returns messages to the client that end its progress and unregister what it
  // registered: the new server registers anew, usually under the same ids.
  std::vector<std::string> take_leave(lsp::WorkDoneProgress& progress);

 private:
  std::string id_;
  std::string initialize_;
  std::array<std::string, 3> last_;  // of the methods of which the last one counts
  std::deque<std::string> folders_;
  std::size_t folder_bytes_ = 0;
  PendingAtClient at_client_;
  lsp::Registrations registrations_;
  std::string capabilities_;  // raw JSON
};

}  // namespace symbols::session
