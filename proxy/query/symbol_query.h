// One documentSymbol request being answered: the server's symbols, then their hovers, then the text.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/reply.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/answer.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_collector.h"
#include "proxy/query/query_services.h"

namespace symbols::query {

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
class SymbolQuery : public std::enable_shared_from_this<SymbolQuery> {
 public:
  using Done = std::function<void(Answer)>;

  // `params`: those of the request, raw JSON, without our options. `options`: all that hold. `done` is called
  // once, from within a reply's handler or the loop, and may destroy the query.
  static std::shared_ptr<SymbolQuery> create(QueryServices services, std::string params,
                                             options::AnswerOptions options, SymbolAnswerStyle style,
                                             Done done);
  ~SymbolQuery();

  void start();
  // The time is over, or the client ends the session: where the symbols are there the answer is given with
  // those hovers that have come.
  void stop_collecting();
  const std::string& uri() const { return style_.uri; }

 private:
  SymbolQuery(QueryServices services, std::string params, options::AnswerOptions options,
              SymbolAnswerStyle style, Done done);

  bool wants_hovers() const { return options_.wants_hovers() && services_.server_has_hovers; }
  void receive(const lsp::Reply& reply);
  Result<lsp::SymbolTree> decode(std::string_view result) const;
  void answer_with(lsp::SymbolTree tree);
  void ask_for_diagnostics();
  void collect(table::SymbolRows rows);
  void finish(table::SymbolRows rows, std::size_t hovers_missing);
  void finish_if_complete();
  void answer(Answer answer);

  QueryServices services_;
  std::string params_;
  options::AnswerOptions options_;
  SymbolAnswerStyle style_;
  Done done_;
  std::optional<lsp::RequestNumber> in_flight_;
  std::optional<HoverCollector> collector_;
  std::shared_ptr<DiagnosticsQuery> diagnosing_;  // while they are out
  table::Diagnostics diagnostics_;
  std::optional<table::SymbolRows> rows_;  // once they are complete
  std::size_t hovers_missing_ = 0;
};

}  // namespace symbols::query
