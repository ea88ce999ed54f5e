// One documentSymbol request being answered: the server's symbols, then their hovers, then the text.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/reply.h"
#include "proxy/answer.h"
#include "proxy/answer_options.h"
#include "proxy/hover_collector.h"
#include "proxy/hover_pool.h"
#include "proxy/later.h"

namespace symbols::proxy {

// What the queries of a session share. All of it outlives them.
struct QueryServices {
  lsp::RequestSender& server;
  HoverPool& hovers;
  bool server_has_hovers;  // one that offers none is asked for none
  Later later;
  // The text of a document as the server knows it (valid UTF-8), or null where it is not known.
  std::function<std::shared_ptr<const std::string>(std::string_view uri)> text;
  std::function<void(const std::string& message)> warn;
  // What the server's replies would have cost the client, for --stats; may be empty.
  std::function<void(std::string_view replied)> count;
};

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
class SymbolQuery : public std::enable_shared_from_this<SymbolQuery> {
 public:
  using Done = std::function<void(Answer)>;

  // `params`: those of the request, raw JSON, without our options. `options`: all that hold. `done` is called
  // once, from within a reply's handler or the loop, and may destroy the query.
  static std::shared_ptr<SymbolQuery> create(QueryServices services, std::string params,
                                             AnswerOptions options, SymbolAnswerStyle style, Done done);
  ~SymbolQuery();

  void start();
  // The time is over, or the client ends the session: where hovers are being collected the answer is given
  // with those that have come.
  void stop_collecting();
  const std::string& uri() const { return style_.uri; }

 private:
  SymbolQuery(QueryServices services, std::string params, AnswerOptions options, SymbolAnswerStyle style,
              Done done);

  void receive(const lsp::Reply& reply);
  void collect(table::SymbolRows rows);
  void finish(const table::SymbolRows& rows, std::size_t hovers_missing);
  void answer(Answer answer);

  QueryServices services_;
  std::string params_;
  AnswerOptions options_;
  SymbolAnswerStyle style_;
  Done done_;
  std::optional<lsp::RequestNumber> in_flight_;
  std::optional<HoverCollector> collector_;
};

}  // namespace symbols::proxy
