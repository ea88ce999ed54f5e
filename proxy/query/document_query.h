// Asks about one document: its symbols, a hover for each row made of them, and its diagnostics. The command
// and the proxy share it; the question holds their differences. DocumentInquiry adds the context of a symbol,
// for the command.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "lsp/client_session.h"
#include "proxy/io/timers.h"
#include "proxy/query/context_query.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/query_services.h"
#include "proxy/query/rename_query.h"
#include "proxy/query/source_errors.h"
#include "proxy/query/symbol_fetch.h"
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
  // How long to wait for the hovers once the symbols are there; none if the caller watches for silence.
  std::optional<milliseconds> hover_limit{};
  std::size_t diagnostics = 0;  // at most this many; 0: none are requested
  milliseconds diagnostics_limit{};
  // With hovers, which tell types: requests the errors of a server that publishes none. Those that others
  // publish are not awaited: gopls takes a second longer for them.
  bool pulls_errors = false;
};

// If the server was lost after the symbols, `error` is set beside the rest.
struct DocumentOutcome {
  std::optional<table::SymbolRows> rows;
  std::optional<Error> error;
  HoverCollector::Counts hovers{};
  std::optional<bool> found_any{};  // symbols, before any selection; none for a blank text
  table::Diagnostics diagnostics{};
  std::optional<SourceErrors> source_errors{};
  std::string errors_unknown{};  // why, where errors were pulled and did not come
};

// A query (query_services.h).
class DocumentQuery {
 public:
  using Done = std::function<void(DocumentOutcome)>;
  // Gets the reply to documentSymbol first. True: it has dealt with it, and `done` will not be called.
  using OnReply = std::function<bool(SymbolReply&)>;

  // `done` is called from a reply's handler or the loop. `on_reply` may be empty, and may destroy the query.
  DocumentQuery(QueryServices services, DocumentQuestion question, Done done, OnReply on_reply = {});

  // What has arrived by now; what has not is missing, diagnostics for this reason. Once, in place of `done`.
  DocumentOutcome take(const std::string& reason);

  bool has_symbols() const { return has_symbols_; }
  // For a progress line: rows whose hover has arrived, of how many; 0 of 0 before the symbols are there.
  std::size_t hovers_done() const { return collector_ ? collector_->hovers_done() : 0; }
  std::size_t hovers_wanted() const { return collector_ ? collector_->hovers_wanted() : 0; }

 private:
  void receive(SymbolReply& reply);
  void diagnose();
  void make_rows(table::SymbolRows rows);
  void finish_if_complete();
  void finish(const std::string& reason);

  QueryServices services_;
  DocumentQuestion question_;
  Done done_;
  OnReply on_reply_;
  SymbolFetch fetch_;
  io::Timer hover_timer_;
  bool has_symbols_ = false;
  std::optional<HoverCollector> collector_;     // if hovers are wanted
  std::optional<DiagnosticsQuery> diagnosing_;  // if diagnostics are
  DocumentOutcome outcome_;
};

// All that the command line asks about one document: its rows and diagnostics, or a symbol's context.
struct InquiryOptions {
  // The question about the document; its uri is set by the inquiry. A context makes its own rows.
  DocumentQuestion document;
  std::optional<ContextQuestion> context{};  // instead of rows
  // How long to wait for a server that is loading (an index, a project) before it is asked about a symbol's
  // references and callers; three quarters of it for each part of a context, and for diagnostics: a request
  // that is never answered costs that part, and not the others or the server.
  milliseconds patience{30'000};
  // The server will index the project, and may not have said so yet when the symbols are there.
  bool await_index = false;
  SearchScope scope{};  // where the server looks for references and callers
  // Shows the server the files that mention an identifier. Returns the paths of those that a list of the
  // whole project names; none if unknown. Called once, before references are requested.
  std::function<std::optional<std::vector<std::string>>(std::string_view identifier)> open_mentions{};
  Texts open_file{};                   // QueryServices::open
  std::function<bool()> is_reading{};  // whether the server still reads files for its index; may be empty
  // A note where a server names no symbol in any of its documents: not where only a few of them are asked
  // about, or where nobody asks for symbols.
  bool tell_if_none_found = true;
  bool tells_errors = true;   // a note where documents have source_errors
  bool is_files_text = true;  // QueryServices'
};

struct InquiryResult {
  DocumentOutcome document{};
  bool no_hovers = false;  // they were wanted, but the server offers none
  std::optional<ContextOutcome> context{};
  std::optional<std::string>
      still_loading{};  // what the server was loading when it was asked for the context
};

// A query (query_services.h). It does not limit the time for the symbols and hovers: the owner, which watches
// for the server's silence, calls take().
class DocumentInquiry {
 public:
  using Done = std::function<void(InquiryResult)>;

  // `uri` names a document that the session's server has open, `text` is what it was opened with. `session`,
  // `hovers` and `timers` outlive it. `done` is called from within a reply's handler or the loop.
  DocumentInquiry(lsp::ClientSession& session, HoverScheduler& hovers, io::Timers& timers, std::string uri,
                  std::string text, InquiryOptions options, Done done);

  // The server is lost: what has arrived, and `reason`. Once, in place of `done`.
  InquiryResult take(const Error& reason);

  // See DocumentQuery.
  std::size_t hovers_done() const { return document_.hovers_done(); }
  std::size_t hovers_wanted() const { return document_.hovers_wanted(); }
  bool has_symbols() const { return document_.has_symbols(); }

 private:
  DocumentQuestion question(std::string uri);
  void receive(DocumentOutcome outcome);
  void set_context(ContextOutcome outcome);
  void ask_for_context();
  void ask_for_rename();
  ContextOutcome outcome_of(RenamePatch patch);
  void fail(ContextFailure failure);
  std::string identifier_at_place() const;  // empty: none
  // Of the identifier at place_, in whose symbol's name it must be the last.
  void open_mentions(std::string_view symbol_name, bool is_variable);
  void finish();

  lsp::ClientSession& session_;
  InquiryOptions options_;
  Done done_;
  QueryServices services_;
  DocumentQuery document_;
  io::Timer timer_;
  lsp::Position place_;                      // of the symbol's name, or of what is renamed
  std::vector<lsp::DocumentSymbol> others_;  // ContextOutcome's
  std::optional<ContextQuery> context_;
  std::optional<RenameQuery> rename_;
  milliseconds waited_{0};  // while the server is loading
  InquiryResult result_;
};

}  // namespace symbols::query
