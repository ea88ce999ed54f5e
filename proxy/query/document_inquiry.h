// All that is asked of a server about one document, for the command line: its symbols with their hovers, and
// its diagnostics; or the context of one of its symbols.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "lsp/client_session.h"
#include "proxy/query/context_query.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/symbol_collector.h"
#include "table/diagnostics_text.h"
#include "table/rows.h"

namespace symbols::query {

struct InquiryOptions {
  CollectOptions collect;
  std::size_t diagnostics = 0;  // at most so many of the document's; 0: none are asked for
  // How long a publication of diagnostics is waited for once the symbols are there, and how long a server
  // that is loading (an index, a project) before it is asked about a symbol's references and callers.
  std::chrono::milliseconds publication_limit = DiagnosticsQuery::publication_limit;
  std::chrono::milliseconds diagnostics_limit{10'000};  // for a server's answer, where it can be asked
  std::chrono::milliseconds loading_limit{30'000};
  // For each part of a context: a request that is never answered costs that part and not the others.
  std::chrono::milliseconds part_limit{22'500};
  // The server will index the project: it may not have said so yet when the symbols are there.
  bool await_index = false;
  std::chrono::milliseconds index_start_limit{5'000};
  std::string search_limit;                  // ContextQuestion's, where no more is known of the server
  std::optional<ContextQuestion> context{};  // in place of rows; its uri is the document's
};

// What became of it. Where the symbols came but the server was lost after them, `error` is set beside the
// rest.
struct InquiryResult {
  std::optional<table::SymbolRows> rows;
  std::optional<Error> error;
  std::size_t hovers_missing = 0;  // rows whose hover was still out when the server was lost
  bool no_hovers = false;          // they were wanted, and the server has none at all
  table::Diagnostics diagnostics{};
  std::optional<ContextOutcome> context{};
  std::optional<std::string> still_loading{};  // what the server was doing when it was asked for the context
};

// One inquiry. Kept by its owner until `done` was called or it is no longer wanted: destroying it cancels
// what is in flight. Single-threaded. It knows no limit of time for an answer: who watches over the server's
// silence calls stop().
class DocumentInquiry : public std::enable_shared_from_this<DocumentInquiry> {
 public:
  using Done = std::function<void(InquiryResult)>;

  // `uri` is that of a document the session's server has open, `text` what it was opened with. `session` and
  // `hovers`, a pool on it, must outlive the inquiry. `done` is called once, from within a reply's handler,
  // the loop or stop().
  static std::shared_ptr<DocumentInquiry> create(lsp::ClientSession& session, HoverPool& hovers,
                                                 relay::Later later, std::string uri, std::string text,
                                                 InquiryOptions options, Done done);

  void start();
  // The server is lost: `done` gets what has come, and `reason`.
  void stop(const Error& reason);

  // As those of SymbolCollector.
  std::size_t hovers_done() const { return collector_ ? collector_->hovers_done() : 0; }
  std::size_t hovers_wanted() const { return collector_ ? collector_->hovers_wanted() : 0; }
  bool has_symbols() const { return collector_ && collector_->has_symbols(); }

 private:
  DocumentInquiry(lsp::ClientSession& session, HoverPool& hovers, relay::Later later, std::string uri,
                  std::string text, InquiryOptions options, Done done);

  QueryServices services();
  void collected(Collected collected);
  void ask_for_diagnostics();
  void ask_for_context();
  void finish();

  lsp::ClientSession& session_;
  HoverPool& pool_;
  relay::Later later_;
  std::string uri_;
  std::shared_ptr<const std::string> text_;  // where a context needs it
  InquiryOptions options_;
  Done done_;
  std::shared_ptr<SymbolCollector> collector_;
  std::shared_ptr<DiagnosticsQuery> diagnosing_;  // while they are out
  std::shared_ptr<ContextQuery> context_;
  std::chrono::milliseconds waited_{0};  // for a server that is loading
  InquiryResult result_;
  bool collected_ = false;
};

}  // namespace symbols::query
