// Answers one hover request of the client in a text format (docs/spec.md, section 7): with the server's
// hover, and the row of the symbol that it is about.
#pragma once

#include <functional>
#include <string>

#include "lsp/position.h"
#include "lsp/replies.h"
#include "lsp/requests.h"
#include "proxy/query/answer.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/query_services.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// What the client asked about.
struct HoverQuestion {
  std::string uri;
  lsp::Position position;
  std::string params;  // of the request, raw JSON, without our options
  options::AnswerOptions options;
};

// A query (query_services.h). The symbols are requested only after a hover that needs a row has arrived. Most
// servers answer one request after another, so sending documentSymbol along with the hover would not speed
// this answer up, while the client's next request would wait behind one that a null hover does not need (28
// to 35 ms on clangd).
class HoverQuery {
 public:
  using Done = std::function<void(Answer)>;

  // `symbols` outlives it.
  HoverQuery(QueryServices services, HoverSymbols& symbols, HoverQuestion question, Done done);
  ~HoverQuery() { symbols_.cancel(waiting_); }
  HoverQuery(const HoverQuery&) = delete;
  HoverQuery& operator=(const HoverQuery&) = delete;

  void start();

 private:
  void receive(const lsp::Reply& reply);
  void ask_for_symbols();
  void finish(const lsp::SymbolTree* tree);
  std::string row(const lsp::SymbolTree* tree, std::string_view text) const;
  void answer(Answer answer);

  bool wants_row() const { return question_.options.hover_reply_or_default() == options::HoverReply::row; }

  QueryServices services_;
  HoverSymbols& symbols_;
  HoverQuestion question_;
  Done done_;
  PendingRequest request_;
  relay::Timer symbols_timer_;
  lsp::Hover hover_;
  std::string raw_range_;  // of the hover, as the server wrote it; may be empty
  HoverSymbols::Ticket waiting_ = 0;
};

}  // namespace symbols::query
