// One `symbols.context` being answered (docs/spec.md, sections 6 and 7): everything about one symbol, from as
// many requests to the server as that takes, in one text.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/position_encoding.h"
#include "lsp/reply.h"
#include "lsp/server_providers.h"
#include "proxy/answer.h"
#include "proxy/context_question.h"
#include "proxy/hover_collector.h"
#include "proxy/symbol_query.h"
#include "table/context_text.h"

namespace symbols::proxy {

// What is known of the server beside what it is asked.
struct ContextServer {
  lsp::ServerProviders providers;
  lsp::PositionEncoding encoding = lsp::PositionEncoding::utf16;
  // The last Diagnostic[] that it published for a document, raw JSON, or why there is none.
  std::function<Result<std::string_view>(std::string_view uri)> published;
};

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
//
// First the symbols are asked for, and the diagnostics, which do not depend on them; once the symbol is known
// all the rest at once. timeout_ms counts from then on, as it does for hovers (a server that loads a project
// holds the symbols back for as long): what has not come is told as such. A part that the server does not
// offer or fails on is named with the reason; only without the symbol there is no answer but an error.
class ContextQuery : public std::enable_shared_from_this<ContextQuery> {
 public:
  using Done = std::function<void(Answer)>;

  // `done` is called once, from within a reply's handler or the loop, and may destroy the query.
  static std::shared_ptr<ContextQuery> create(QueryServices services, ContextServer server,
                                              ContextQuestion question, Done done);
  ~ContextQuery();

  void start();

 private:
  // The requests that may be out.
  enum class Part : std::size_t { symbols, hover, references, callers, diagnostics };
  static constexpr std::size_t part_count = 5;
  using Receiver = void (ContextQuery::*)(const lsp::Reply& reply);

  ContextQuery(QueryServices services, ContextServer server, ContextQuestion question, Done done);

  void ask(Part part, std::string_view method, std::string_view params, Receiver receiver);
  void receive_symbols(const lsp::Reply& reply);
  void receive_hover(const lsp::Reply& reply);
  void receive_references(const lsp::Reply& reply);
  void receive_call_hierarchy(const lsp::Reply& reply);
  void receive_callers(const lsp::Reply& reply);
  void receive_diagnostics(const lsp::Reply& reply);

  const lsp::DocumentSymbol* find_symbol(const lsp::SymbolTree& tree);
  void take_source();
  void ask_about_symbol();
  void collect_hovers();
  void stop();
  std::string* failure_of(Part part);
  void take_published_diagnostics();
  bool is_complete() const;
  void finish_if_complete();
  std::string result() const;
  void fail(int code, std::string_view message);
  void answer(Answer answer);

  QueryServices services_;
  ContextServer server_;
  ContextQuestion question_;
  Done done_;
  std::array<std::optional<lsp::RequestNumber>, part_count> out_;
  std::optional<HoverCollector> collector_;  // of the rows below the symbol
  table::SymbolContext context_;             // without rows until the symbol is known
  std::string symbol_hover_;
  bool collecting_ = false;
  std::size_t hovers_missing_ = 0;
};

}  // namespace symbols::proxy
