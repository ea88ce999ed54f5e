// The diagnostics of one document: requested if the server offers that, else what it publishes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "lsp/requests.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/query_services.h"
#include "proxy/relay/timers.h"
#include "table/diagnostics_text.h"

namespace symbols::query {

// A query (query_services.h). A server that offers textDocument/diagnostic is asked at once. From any other,
// the list is taken that it published since the document was opened or changed. Servers publish while they
// work on the symbols, before or just after these, so the wait for it begins after them and is short: nothing
// in the protocol says that a server publishes anything.
class DiagnosticsQuery {
 public:
  using Done = std::function<void(table::Diagnostics)>;

  // The longest wait for a publication once the symbols are there.
  static constexpr std::chrono::milliseconds publication_limit{2000};

  // An empty list of a document that was just opened or changed is believed only after so long: pyright
  // publishes one at once, and what it finds some milliseconds later.
  static constexpr std::chrono::milliseconds empty_list_grace{300};

  // `limit`: how long to wait for an answer or a publication once the symbols are there. `done` gets a list
  // or the reason why there is none. It is called from within any call, a reply's handler or the loop, as the
  // last of it.
  DiagnosticsQuery(QueryServices services, std::string uri, std::chrono::milliseconds limit, Done done);

  void start();
  void symbols_are_there();
  // The server is lost or the answer is wanted now: `done` gets what has arrived, or `reason`.
  void stop(const std::string& reason);

 private:
  void receive(const lsp::Reply& reply);
  void look_at_published();
  bool published_is_awaited() const;
  Result<lsp::DiagnosticList> published() const;
  bool published_is_empty() const;
  void take_published(std::string failure);
  void finish(table::Diagnostics diagnostics);

  QueryServices services_;
  std::string uri_;
  std::chrono::milliseconds limit_;
  Done done_;
  PendingRequest request_;
  relay::Timer timer_;  // the limit of an answer, or until the next look at what was published
  std::chrono::milliseconds waited_{0};                       // for a publication
  std::optional<std::chrono::milliseconds> published_after_;  // of these, when there was one
  bool symbols_are_there_ = false;
  bool is_fresh_ = false;  // nothing had been published for the document's text when the query started
};

}  // namespace symbols::query
