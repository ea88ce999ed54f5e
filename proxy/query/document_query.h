// Asks about one document: its symbols, a hover for each row made of them, and its diagnostics. The command
// and the proxy share it; the question holds their differences.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_collector.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/query/written_declarations.h"
#include "proxy/relay/timers.h"
#include "table/diagnostics_text.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::query {

struct DocumentQuestion {
  std::string uri;       // of a document that the server has open
  std::string params{};  // of textDocument/documentSymbol, raw JSON, where it has more than the document
  SymbolRetry retry{};
  table::Selection selection{};  // which symbols become rows; only these get a hover
  bool hovers = true;            // a column of them; empty if the server offers none
  bool details_will_do = false;  // no hovers if the details hold the signatures
  HoverForm hover_form{};
  // How long to wait for the hovers once the symbols are there; absent if the caller watches for the server's
  // silence.
  std::optional<std::chrono::milliseconds> hover_limit{};
  std::size_t diagnostics = 0;  // at most this many; 0: none are requested
  std::chrono::milliseconds diagnostics_limit{10'000};
  // With hovers, which tell types: requests the errors of a server that publishes none. Those that others
  // publish are not awaited: gopls takes a second longer for them.
  bool pulls_errors = false;
};

// If the server was lost after the symbols, `error` is set beside the rest.
struct DocumentOutcome {
  std::optional<table::SymbolRows> rows;
  std::optional<Error> error;
  HoverCollector::Counts hovers{};
  // Whether the server named symbols, before any selection; unknown for a blank text.
  enum class Found { unknown, none, some };
  Found found = Found::unknown;
  table::Diagnostics diagnostics{};
  std::optional<SourceErrors> source_errors{};
};

// A query (query_services.h).
class DocumentQuery {
 public:
  using Done = std::function<void(DocumentOutcome)>;
  // Gets the reply to documentSymbol first. If it returns true it has dealt with it, and `done` will not be
  // called.
  using OnReply = std::function<bool(SymbolReply&)>;

  // `done` is called from within a reply's handler, the loop or one of the two calls that stop it. `on_reply`
  // may be empty, and may destroy the query.
  DocumentQuery(QueryServices services, DocumentQuestion question, Done done, OnReply on_reply = {});

  void start();
  // Stops waiting: if the symbols are there, the outcome is what has arrived. Else nothing happens.
  void finish_now();
  // The server is lost: the outcome is what has arrived, and `reason`.
  void stop(const Error& reason);

  bool has_symbols() const { return has_symbols_; }
  // For a progress line: rows whose hover has arrived, of how many; 0 of 0 before the symbols are there.
  std::size_t hovers_done() const { return collector_ ? collector_->hovers_done() : 0; }
  std::size_t hovers_wanted() const { return collector_ ? collector_->hovers_wanted() : 0; }

 private:
  void receive(SymbolReply& reply);
  void collect(table::SymbolRows rows, WrittenDeclarations written);
  void stop_waiting(const std::string& reason);
  void finish_if_complete();

  QueryServices services_;
  DocumentQuestion question_;
  Done done_;
  OnReply on_reply_;
  SymbolFetch fetch_;
  relay::Timer hover_timer_;
  bool has_symbols_ = false;
  std::optional<HoverCollector> collector_;
  std::unique_ptr<DiagnosticsQuery> diagnosing_;  // while they are awaited
  bool complete_ = false;                         // except for the diagnostics
  DocumentOutcome outcome_;
};

}  // namespace symbols::query
