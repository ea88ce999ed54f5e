// Answers one `symbols.context` (docs/spec.md, sections 6 and 7): everything about one symbol, collected by
// several requests to the server, in one text.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lsp/requests.h"
#include "proxy/io/timers.h"
#include "proxy/query/base_uses.h"
#include "proxy/query/context_question.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "proxy/query/symbol_fetch.h"
#include "table/context_text.h"

namespace symbols::query {

// A query (query_services.h). The symbols are requested first, along with the diagnostics, which do not
// depend on them; once the symbol is known, all the rest at once. The time limit starts then, as timeout_ms
// does for hovers, because a server that is loading a project holds the symbols back until it is done. A part
// that is late, that the server does not offer or fails on is named with the reason. Only a missing symbol
// makes the whole answer an error.
class ContextQuery {
 public:
  using Done = std::function<void(ContextOutcome)>;

  // `limit`: how long to wait for the rest. `tree`: the document's symbols, if they are known; else they are
  // requested. `done` is called from within a reply's handler or the loop, for a known tree not if the query
  // is complete at once.
  ContextQuery(QueryServices services, ContextQuestion question, milliseconds limit, Done done,
               const lsp::SymbolTree* tree = nullptr);

  bool is_complete() const;
  // What has arrived, with `reason` for each part that has not. Once, in place of `done`, and not before the
  // symbol is known.
  ContextOutcome take(const std::string& reason);

 private:
  void receive_symbols(SymbolReply& reply);
  void receive_hover(const lsp::Reply& reply);
  void receive_references(const lsp::Reply& reply);
  void receive_implementations(const lsp::Reply& reply);
  // Of branch number `branch` of the hierarchies: the symbol's own item, then its neighbours.
  void receive_item(std::size_t branch, const lsp::Reply& reply);
  void receive_neighbours(std::size_t branch, const lsp::Reply& reply);

  void begin(const lsp::SymbolTree& tree);
  void take_source();
  void ask_about_symbol();
  void collect_hovers();
  // A handler that counts the reply for --stats, passes it to `receiver`, and finishes if it was the last.
  lsp::ReplyHandler to(lsp::ReplyHandler receiver);
  void count(const lsp::Reply& reply) const;
  bool is_method() const { return context_.rows.all.front().kind == lsp::SymbolKind::method; }
  // A list of the whole project names each of ContextQuestion::whole_if_named, which keeps the others.
  void name_file(std::string_view uri);
  void finish_if_complete();
  void finish(const std::string& reason);

  QueryServices services_;
  ContextQuestion question_;
  milliseconds limit_;
  Done done_;
  std::optional<SymbolFetch> symbols_;
  PendingRequest hover_;
  PendingRequest references_;
  PendingRequest implementations_;
  std::deque<PendingRequest> branches_;
  io::Timer timer_;
  std::optional<DiagnosticsQuery> diagnostics_;  // if they are wanted
  std::optional<HoverCollector> collector_;      // of the rows below the symbol, if hovers are
  std::optional<BaseUses> base_uses_;            // of a method with references or callers
  table::SymbolContext context_;                 // without rows until the symbol is known
  WrittenDeclarations written_;
  std::string symbol_hover_;
  bool any_failed_ = false;                  // of the requests
  std::vector<lsp::DocumentSymbol> others_;  // ContextOutcome's
  std::optional<ContextFailure> failure_;    // why there is no context
};

}  // namespace symbols::query
