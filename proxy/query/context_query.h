// One `symbols.context` being answered (docs/spec.md, sections 6 and 7): everything about one symbol, from as
// many requests to the server as that takes, in one text.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "lsp/reply.h"
#include "proxy/query/context_outcome.h"
#include "proxy/query/context_question.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_collector.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/query_services.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/query/timer.h"
#include "table/context_text.h"

namespace symbols::query {

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
//
// First the symbols are asked for, and the diagnostics, which do not depend on them; once the symbol is known
// all the rest at once. A limit counts from then on, as timeout_ms does for hovers (a server that loads a
// project holds the symbols back for as long): what has not come is told as such. A part that the server does
// not offer or fails on is named with the reason; only without the symbol there is no answer but an error.
class ContextQuery {
 public:
  using Done = std::function<void(ContextOutcome)>;

  // `limit`: how long the rest is waited for. `done` is called once, from within start_with(), stop(), a
  // reply's handler or the loop, and may destroy the query.
  ContextQuery(QueryServices services, ContextQuestion question, std::chrono::milliseconds limit, Done done);

  // One of the two: asks the server for the document's symbols, or begins with them.
  void start();
  void start_with(const lsp::SymbolTree& tree);
  // The server is lost: the answer is what has come, with `reason` for each part that has not. Nothing
  // happens before the symbol is known.
  void stop(const std::string& reason);

 private:
  void receive_symbols(SymbolReply& reply);
  void receive_hover(const lsp::Reply& reply);
  void receive_references(const lsp::Reply& reply);
  void receive_call_hierarchy(const lsp::Reply& reply);
  void receive_callers(const lsp::Reply& reply);

  void ask_for_diagnostics();
  void begin(const lsp::SymbolTree& tree);
  void take_source();
  void ask_about_symbol();
  void collect_hovers();
  // A handler that counts the reply for --stats, hands it over, and looks whether that was the last.
  lsp::ReplyHandler to(void (ContextQuery::*receiver)(const lsp::Reply& reply));
  void count(const lsp::Reply& reply) const;
  bool is_complete() const;
  void finish_if_complete();
  ContextOutcome outcome();

  QueryServices services_;
  ContextQuestion question_;
  std::chrono::milliseconds limit_;
  Done done_;
  SymbolFetch symbols_;
  PendingRequest hover_;
  PendingRequest references_;
  PendingRequest callers_;
  Timer timer_;
  std::optional<DiagnosticsQuery> diagnostics_;  // where they are wanted
  std::optional<HoverCollector> collector_;      // of the rows below the symbol
  table::SymbolContext context_;                 // without rows until the symbol is known
  std::string symbol_hover_;
  bool collecting_ = false;
  bool diagnosing_ = false;
  bool asking_ = false;  // more is about to be asked for
  std::size_t hovers_missing_ = 0;
  std::optional<ContextFailure> failure_;  // why there is no context
};

}  // namespace symbols::query
