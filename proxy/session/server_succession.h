// `--restart`: the state of a session that a server started in place of a dead one needs, and the messages
// that both sides get then.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/messages.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"
#include "proxy/session/pending_at_client.h"

namespace symbols::session {

// The client's messages, apart from those about documents (SessionDocuments), that are repeated to a new
// server. Bodies are kept as the server got them.
class SessionReplay {
 public:
  // Beyond it the oldest changes of workspace folders are dropped.
  static constexpr std::size_t most_folder_bytes = std::size_t{1} << 20;

  void initialize(std::string_view id, std::string_view body);
  // A notification of the client: `initialized`, the last workspace/didChangeConfiguration, every
  // workspace/didChangeWorkspaceFolders, the last $/setTrace; others are not kept.
  void notified(std::string_view method, std::string_view body);

  // The request, empty until it was sent; and its id, raw.
  const std::string& initialize_body() const { return initialize_; }
  const std::string& initialize_id() const { return id_; }
  // The notifications that follow its reply, in this order.
  std::vector<std::string_view> notifications() const;

 private:
  std::string id_;
  std::string initialize_;
  std::array<std::string, 3> last_;  // of the methods of which the last one counts
  std::deque<std::string> folders_;
  std::size_t folder_bytes_ = 0;
};

// Observes messages and returns those to be sent; sends nothing itself. Single-threaded.
class ServerSuccession {
 public:
  // The ids of the proxy's own requests begin with `id_prefix`.
  explicit ServerSuccession(const std::string& id_prefix) : at_client_(id_prefix) {}

  // The messages to be repeated.
  SessionReplay& replay() { return replay_; }
  // The answer to the client's initialize has passed. From now on the server can be replaced.
  void initialized(std::string_view result);
  bool is_initialized() const { return !capabilities_.empty(); }
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
  SessionReplay replay_;
  PendingAtClient at_client_;
  lsp::Registrations registrations_;
  std::string capabilities_;  // raw JSON
};

}  // namespace symbols::session
