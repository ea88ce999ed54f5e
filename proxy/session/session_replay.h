// `--restart`: the state of a session that a server started in place of a dead one needs, and the messages
// that both sides get then.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "lsp/messages.h"
#include "lsp/server_capabilities.h"
#include "lsp/work_done_progress.h"

namespace symbols::session {

// Observes messages and returns those to be sent; sends nothing itself. Ids are raw bytes, and bodies are
// kept as the server got them. Single-threaded.
//
// When a server dies, the client's answers to its requests may be on their way, and the next server counts
// its requests from 0 again. So the requests of the Nth server after the first pass under the ids
// "PREFIXclient-N-ID", where ID is the server's own id: an answer says itself whom it is for.
class SessionReplay {
 public:
  struct Notification {
    std::string method;
    std::string body;
  };

  // The ids of the proxy's own requests, and no others, begin with `id_prefix`.
  explicit SessionReplay(const std::string& id_prefix) : prefix_(id_prefix + "client-") {}

  // The client has sent initialize; the params are raw JSON.
  void initialize(std::string_view params);
  // A notification of the client. Repeated to a new server: `initialized`, the last $/setTrace, the last
  // workspace/didChangeConfiguration, every workspace/didChangeWorkspaceFolders; others are not kept.
  void notified(std::string_view method, std::string_view body);
  // The answer to the client's initialize has passed. From now on the server can be replaced.
  void initialized(std::string_view result);
  bool is_initialized() const { return !capabilities_.empty(); }

  // To be repeated to a new server: initialize, then, after its reply, the notifications in this order.
  const std::string& initialize_params() const { return initialize_params_; }
  const std::vector<Notification>& notifications() const { return notifications_; }
  // Whether the new server's capabilities differ from those that the client got.
  bool offers_other(std::string_view result) const;

  // A request of the server to the client. Returns its body if it passes under another id.
  std::optional<std::string> asked(const lsp::Envelope& request, std::string_view body);
  // The server's $/cancelRequest of such a request: its body if that passes under another id.
  std::optional<std::string> cancelled(std::string_view body) const;
  // The client sends an answer. Returns the body that replaces it; empty: dropped, none: passed on.
  std::optional<std::string> answered(std::string_view id, std::string_view body);
  // Whether the present server waits for the client.
  bool server_waits() const { return !awaited_.empty(); }

  // The server is gone: the client's answers to it are dropped. Returns messages to the client that end its
  // progress and unregister what it registered: the new server registers anew, usually under the same ids.
  std::vector<std::string> take_leave(lsp::WorkDoneProgress& progress);

 private:
  // Further requests that a server waits for, and those with longer ids, are not counted.
  static constexpr std::size_t max_awaited = 4096;
  static constexpr std::size_t max_id_bytes = 256;

  std::string passed_id(std::string_view id) const;

  std::string prefix_;    // of ids that the client gets
  std::size_t lost_ = 0;  // servers
  std::unordered_set<std::string, StringHash, std::equal_to<>> awaited_;
  std::string initialize_params_;
  std::vector<Notification> notifications_;
  lsp::Registrations registrations_;
  std::string capabilities_;  // raw JSON
};

}  // namespace symbols::session
