// `--restart`: what is kept of a session so that another server can take the place of one that has died, and
// what both sides are told then.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/envelope.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/session/pending_at_client.h"

namespace symbols::session {

// What the client has told its server, apart from documents (SessionDocuments'), that a server started in its
// place has to be told again. Bodies are kept as the server got them.
class SessionReplay {
 public:
  // Beyond it the oldest changes of workspace folders are forgotten.
  static constexpr std::size_t most_folder_bytes = std::size_t{1} << 20;

  void initialize(std::string_view id, std::string_view body);
  // A notification of the client: `initialized`, the last workspace/didChangeConfiguration, every
  // workspace/didChangeWorkspaceFolders, the last $/setTrace; others are not kept.
  void notified(std::string_view method, std::string_view body);

  // The request; empty until it was sent. The id, raw.
  const std::string& initialize_body() const { return initialize_; }
  const std::string& initialize_id() const { return id_; }
  // What follows its reply, in this order.
  std::vector<std::string_view> notifications() const;

 private:
  std::string id_;
  std::string initialize_;
  std::array<std::string, 3> last_;  // of the methods of which the last one counts
  std::deque<std::string> folders_;
  std::size_t folder_bytes_ = 0;
};

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
