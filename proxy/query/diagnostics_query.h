// The diagnostics of one document: requested if the server offers that, else what it publishes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "lsp/requests.h"
#include "proxy/io/timers.h"
#include "proxy/query/query_services.h"
#include "table/diagnostics_text.h"

namespace symbols::query {

// A query (query_services.h). A server that offers textDocument/diagnostic is asked at once, or, if it has
// offered it only by then, once the symbols are there. From any other, the list is taken that it published
// since the document was opened or changed. Servers publish while they work on the symbols, before or just
// after these, so the wait for it begins after them and is short: nothing in the protocol says that a server
// publishes anything.
class DiagnosticsQuery {
 public:
  // The longest wait for a publication once the symbols are there.
  static constexpr milliseconds publication_limit{2000};

  // An empty list of a document that was just opened or changed is believed only after so long: pyright
  // publishes one at once, and what it finds some milliseconds later.
  static constexpr milliseconds empty_list_grace{300};

  // `limit`: how long to wait for an answer or a publication once the symbols are there. `done` is called
  // from within a reply's handler or the loop.
  DiagnosticsQuery(QueryServices services, std::string uri, milliseconds limit, std::function<void()> done);

  void symbols_are_there();
  bool is_complete() const { return result_.has_value(); }
  // A list, or the reason why there is none; before it is complete what has arrived by now, or `reason`.
  // Once.
  table::Diagnostics take(const std::string& reason);

 private:
  void request();
  void receive(const lsp::Reply& reply);
  void look_at_published();
  Result<lsp::DiagnosticList> published() const;
  void take_published(std::string failure);
  void set(table::Diagnostics result);

  QueryServices services_;
  std::string uri_;
  milliseconds limit_;
  std::function<void()> done_;
  PendingRequest request_;
  io::Timer timer_;         // the limit of an answer, or until the next look at what was published
  milliseconds waited_{0};  // for a publication
  std::optional<milliseconds> published_after_;  // of these, when there was one
  bool knew_texts_ = false;                      // of which waited_ counts from then on
  bool is_fresh_ = false;  // nothing had been published for the document's text when the query started
  std::optional<table::Diagnostics> result_;
};

}  // namespace symbols::query
