// What all queries about a server's documents share: the server, what is known about it, how they end,
// their requests, and the answers to those of a client.
//
// The constructor sends the first requests. `done` is called once, from the loop, never from within a call to
// the query, and may destroy it. Instead of waiting, the owner may call take() for what has arrived, or
// destroy the query, which cancels its requests. Single-threaded.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "lsp/messages.h"
#include "lsp/position.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/requests.h"
#include "lsp/server_capabilities.h"
#include "proxy/io/timers.h"

namespace symbols::query {

class HoverScheduler;

// The text of a document as the server knows it (valid UTF-8), or null if it is not known.
using Texts = std::function<std::shared_ptr<const std::string>(std::string_view uri)>;

// All that it refers to outlives the queries.
struct QueryServices {
  lsp::RequestSender& server;
  HoverScheduler& hovers;
  io::Timers& timers;
  Texts text;
  std::function<void(const std::string& message)> warn;
  // What the server's replies would have cost the client, for --stats; may be empty.
  std::function<void(std::string_view replied)> count;
  const lsp::ServerCapabilities& capabilities;  // current; what it does not offer is not requested
  lsp::RecentDiagnostics& published;
  // Shows the server a file of the project that it may not have open; its text, or null if that cannot be.
  // May be empty.
  Texts open{};
  bool is_files_text = true;  // else open documents have other texts than their files, and all of them count
};

inline constexpr std::string_view hover_method = "textDocument/hover";

// Params about a document or a position in one, raw JSON. `more`: members, each with a comma before it.
std::string document_params(std::string_view uri);
std::string place_params(std::string_view uri, lsp::Position position, std::string_view more = {});

// The delay after `attempts` attempts: 100 ms after the first, doubled each time, at most two seconds.
milliseconds delay_after(int attempts);

// One request to the server that is retried while the server is not ready and cancelled when it is destroyed.
// So a query with its requests as members need not check whether it is alive when a reply arrives.
class PendingRequest {
 public:
  // `sender` and `timers` outlive it.
  PendingRequest(lsp::RequestSender& sender, io::Timers& timers) : sender_(sender), retry_timer_(timers) {}
  ~PendingRequest() { cancel(); }

  // To be called while none is out. `handler` gets the reply, once, unless cancel() comes first; it may
  // destroy this. While the server says that it is still loading, the request is retried for at most
  // `retry_for`; with 0 that answer is the reply.
  void send(std::string_view method, std::string_view params, lsp::ReplyHandler handler,
            milliseconds retry_for = {});
  // Whether the reply is still to come.
  bool is_out() const { return handler_ != nullptr; }
  // The handler is no longer called.
  void cancel();

 private:
  void send_again();
  void receive(const lsp::Reply& reply);

  lsp::RequestSender& sender_;
  io::Timer retry_timer_;
  std::string method_;
  std::string params_;  // kept for retries
  lsp::ReplyHandler handler_;
  milliseconds retry_for_{0};
  int attempts_ = 0;
  steady_clock::time_point first_attempt_;
  std::optional<lsp::RequestNumber> number_;  // while the server has it
};

inline constexpr std::string_view not_offered = "not offered by the server";

// Why a server refused a request, for an answer's reader: its own message if any. `reply` is a failed one.
std::string refusal_text(const lsp::Reply& reply);

// The uri of the textDocument in the params, if any.
std::optional<std::string> document_uri(std::string_view params);

// The uris of textDocuments: [{"uri":…},…]. Error: not such a list, or too long a one.
Result<std::vector<std::string>> document_uris(std::string_view json);

struct Answer {
  bool failed = false;
  std::string json;  // pure ASCII, except for what the server wrote itself

  static Answer error(int code, std::string_view message) { return {true, lsp::error_json(code, message)}; }
};

// `,"meta":{…}`, which lists what an answer lacks: the number of rows without their hover, what a budget left
// out, each part that failed or is doubtful (its member's name and the reason), and unknown fields. Empty if
// nothing is missing.
std::string meta_member(std::size_t hovers_missing, std::string_view truncated,
                        const std::vector<std::pair<std::string, std::string>>& failed_parts,
                        const std::vector<std::string>& unknown_fields = {});

}  // namespace symbols::query
