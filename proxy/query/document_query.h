// Asks about one document: its symbols, a hover for each row made of them, and its diagnostics. The command
// and the proxy share it; the question holds their differences.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"
#include "table/diagnostics_text.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::query {

// What is kept of each hover.
struct HoverForm {
  std::size_t characters = table::default_hover_characters;  // Unicode scalar values; 0 for no limit
  bool parts = false;  // also its two parts, each cut to as many characters
};

// A query (query_services.h). Fills the column HOVER_INFO of one document's rows with the hover at the start
// of each row's selection: from the cache at once, else from the server.
class HoverCollector {
 public:
  struct Counts {
    std::size_t given = 0;  // rows for which the server has a hover, though the row may show none of it
    std::size_t missing =
        0;  // whose hover did not arrive because the server refused it, the document changed
            // or stop() was called, or is left out because of the scheduler's limits
    std::size_t refused = 0;  // of those that are missing
  };
  using Done = std::function<void(table::SymbolRows rows, Counts counts)>;

  // `uri` names a document that the server has open, `rows` hold its symbols; their hovers are filled in
  // here, with signatures that are `written` where there are such. The scheduler must live until `done` is
  // called or the collector is destroyed. `done` is called from within start() if everything is cached (or
  // there are no rows), else from within a handler of the scheduler or stop().
  HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows, HoverForm form,
                 Done done, WrittenDeclarations written = {});
  ~HoverCollector();
  HoverCollector(const HoverCollector&) = delete;
  HoverCollector& operator=(const HoverCollector&) = delete;

  // To be called once. If it calls `done`, it does so last.
  void start();
  // Finishes now with what has arrived: time is up, the server is lost, or the rest is not wanted. Does
  // nothing if `done` was called before.
  void stop();

  // For a progress line: rows whose hover has arrived (or will not), of how many.
  std::size_t hovers_done() const { return hovers_wanted() - out_; }
  std::size_t hovers_wanted() const { return tickets_.size(); }

 private:
  void receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text);
  void fill(std::size_t row, const table::HoverText& whole);
  void finish();

  HoverScheduler& scheduler_;
  std::string uri_;
  table::SymbolRows rows_;
  HoverForm form_;
  Done done_;  // empty once it was called
  WrittenDeclarations written_;
  std::vector<HoverScheduler::Ticket> tickets_;  // [i] is awaited for row i, or none
  std::size_t out_;                              // rows whose hover is awaited
  Counts counts_;
  std::size_t text_ = 0;  // bytes of rows_, as the scheduler counts them
};

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
