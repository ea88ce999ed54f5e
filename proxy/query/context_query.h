// One `symbols.context` being answered (docs/spec.md, sections 6 and 7): everything about one symbol, from as
// many requests to the server as that takes, in one text.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/reply.h"
#include "proxy/query/context_outcome.h"
#include "proxy/query/context_question.h"
#include "proxy/query/diagnostics_query.h"
#include "proxy/query/hover_collector.h"
#include "proxy/query/query_services.h"
#include "table/context_text.h"

namespace symbols::query {

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
//
// First the symbols are asked for, and the diagnostics, which do not depend on them; once the symbol is known
// all the rest at once. A limit counts from then on, as timeout_ms does for hovers (a server that loads a
// project holds the symbols back for as long): what has not come is told as such. A part that the server does
// not offer or fails on is named with the reason; only without the symbol there is no answer but an error.
class ContextQuery : public std::enable_shared_from_this<ContextQuery> {
 public:
  using Done = std::function<void(ContextOutcome)>;

  // `limit`: how long the rest is waited for. `done` is called once, from within start_with(), stop(), a
  // reply's handler or the loop, and may destroy the query.
  static std::shared_ptr<ContextQuery> create(QueryServices services, ContextQuestion question,
                                              std::chrono::milliseconds limit, Done done);
  ~ContextQuery();

  // One of the two: asks the server for the document's symbols, or begins with them.
  void start();
  void start_with(const lsp::SymbolTree& tree);
  // The server is lost: the answer is what has come, with `reason` for each part that has not. Nothing
  // happens before the symbol is known.
  void stop(const std::string& reason);

 private:
  // The requests that may be out, beside those for diagnostics.
  enum class Part : std::size_t { symbols, hover, references, callers };
  static constexpr std::size_t part_count = 4;
  using Receiver = void (ContextQuery::*)(const lsp::Reply& reply);

  ContextQuery(QueryServices services, ContextQuestion question, std::chrono::milliseconds limit, Done done);

  void ask(Part part, std::string_view method, std::string_view params, Receiver receiver);
  void receive_symbols(const lsp::Reply& reply);
  void receive_hover(const lsp::Reply& reply);
  void receive_references(const lsp::Reply& reply);
  void receive_call_hierarchy(const lsp::Reply& reply);
  void receive_callers(const lsp::Reply& reply);

  void ask_for_diagnostics();
  void begin(const lsp::SymbolTree& tree);
  void take_source();
  void ask_about_symbol();
  void collect_hovers();
  std::string* failure_of(Part part);
  bool is_complete() const;
  void finish_if_complete();
  ContextOutcome outcome();
  void fail(ContextFailure failure);
  void answer(ContextOutcome outcome);

  QueryServices services_;
  ContextQuestion question_;
  std::chrono::milliseconds limit_;
  Done done_;
  std::array<std::optional<lsp::RequestNumber>, part_count> out_;
  std::shared_ptr<DiagnosticsQuery> diagnostics_;  // where they are wanted
  std::optional<HoverCollector> collector_;        // of the rows below the symbol
  table::SymbolContext context_;                   // without rows until the symbol is known
  std::string symbol_hover_;
  bool collecting_ = false;
  bool diagnosing_ = false;
  bool asking_ = false;  // more is about to be asked for
  std::size_t hovers_missing_ = 0;
};

}  // namespace symbols::query
