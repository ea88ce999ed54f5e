// Answers one hover request of the client in a text format (docs/spec.md, section 7): with the server's
// hover, and the row of the symbol that it is about.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lsp/position.h"
#include "lsp/replies.h"
#include "lsp/requests.h"
#include "proxy/io/timers.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/query_services.h"
#include "proxy/query/symbol_fetch.h"

namespace symbols::query {

// A cache of documents' symbols, to find which of them a hover is about: kept until something changes, one
// request for all that wait. Single-threaded.
class HoverSymbols {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null if the server failed
  using Handler = std::function<void(const Tree&)>;

  // `sender` and `timers` outlive this. `texts`: see SymbolReply.
  HoverSymbols(lsp::RequestSender& sender, io::Timers& timers, Texts texts = {})
      : sender_(sender), timers_(timers), texts_(std::move(texts)) {}

  // The symbols of a document if they are cached, else null.
  Tree find(std::string_view uri) const;
  // Requests the symbols of a document that the server has open, or joins the request that is already out.
  // `waiter` waits for one document at a time. The handler is called from within a reply's handler.
  // False: too many requests are out.
  bool ask(const void* waiter, std::string_view uri, Handler handler);
  // The waiter's handler is no longer called. A request without waiters is cancelled at the server.
  void cancel(const void* waiter);
  // The handler is no longer called, but the symbols are still wanted for the next question.
  void stop_waiting(const void* waiter);
  // The workspace changed.
  void invalidate();

 private:
  // Hovers stay in one document for a while, then move to another. Counts documents without waiters.
  static constexpr std::size_t max_documents = 8;

  using Waiting = std::list<std::pair<const void*, Handler>>;
  struct Document {
    explicit Document(std::string_view its_uri) : uri(its_uri) {}

    std::string uri;
    Tree tree{};         // null: requested
    bool stale = false;  // requested before a change: given to the waiters, and not cached
    std::optional<SymbolFetch> fetch{};
    Waiting waiting{};
  };
  using Documents = std::list<Document>;

  void receive(Documents::iterator document, SymbolReply& reply);

  lsp::RequestSender& sender_;
  io::Timers& timers_;
  Texts texts_;
  Documents documents_;  // the last one that was requested first
  Waiting due_;          // waiters that are being called
};

// What the client asked about.
struct HoverQuestion {
  std::string uri;
  lsp::Position position;
  std::string params;  // of the request, raw JSON, without our options
  options::AnswerOptions options;
};

// A query (query_services.h). The symbols are requested only after a hover that needs a row has arrived. Most
// servers answer one request at a time, so sending documentSymbol along with the hover would not speed it up,
// while the client's next request would wait for one that a null hover does not need (clangd: 28 to 35 ms).
class HoverQuery {
 public:
  using Done = std::function<void(Answer)>;

  // `symbols` outlives it.
  HoverQuery(QueryServices services, HoverSymbols& symbols, HoverQuestion question, Done done);
  ~HoverQuery() { symbols_.cancel(this); }

 private:
  void receive(const lsp::Reply& reply);
  void finish(const lsp::SymbolTree* tree);
  std::string row(const lsp::SymbolTree* tree, std::string_view text) const;
  void answer(Answer answer);

  bool wants_row() const { return question_.options.hover_reply_or_default() == options::HoverReply::row; }

  QueryServices services_;
  HoverSymbols& symbols_;
  HoverQuestion question_;
  Done done_;
  PendingRequest request_;
  io::Timer symbols_timer_;
  lsp::Hover hover_;
  std::string raw_range_;  // of the hover, as the server wrote it; may be empty
};

}  // namespace symbols::query
