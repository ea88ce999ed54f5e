// `--restart`: what is kept of a session so that another server can take the place of one that has died, and
// what both sides are told then.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lsp/envelope.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/session/pending_at_client.h"
#include "proxy/session/session_replay.h"

namespace symbols::session {

// Listens, and says what has to be sent; sends nothing itself. Single-threaded.
class ServerSuccession {
 public:
  // `id_prefix` begins the ids of the proxy's own requests.
  explicit ServerSuccession(const std::string& id_prefix) : at_client_(id_prefix) {}

  // What the server is told: kept for the next one.
  SessionReplay& replay() { return replay_; }
  // The answer to the client's initialize has passed: from now on there can be a successor.
  void initialized(std::string_view result);
  bool is_initialized() const { return !capabilities_.empty(); }
  // Whether the successor offers something else than the server that the client got to know.
  bool offers_other(std::string_view result) const;

  // A request of the server that goes to the client. Its body, where it has to go under another id.
  std::optional<std::string> asked(const lsp::Envelope& request, std::string_view body);
  PendingAtClient& at_client() { return at_client_; }
  const PendingAtClient& at_client() const { return at_client_; }

  // The server is gone. What the client is sent in its name: the end of its progress, and that what it has
  // registered holds no more. The successor registers anew, most often under the same ids.
  std::vector<std::string> take_leave(lsp::WorkDoneProgress& progress);

 private:
  SessionReplay replay_;
  PendingAtClient at_client_;
  lsp::Registrations registrations_;
  std::string capabilities_;  // raw JSON
};

}  // namespace symbols::session
