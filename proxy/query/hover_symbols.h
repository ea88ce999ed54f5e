// A cache of documents' symbols, to tell which of them a hover is about: kept until something changes, one
// request for all that wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/requests.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// Single-threaded. Handlers run from within a reply's handler, never from within a call to this.
class HoverSymbols {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null if the server failed
  using Handler = std::function<void(const Tree&)>;
  // Identifies one waiter; 0 is none.
  using Ticket = std::uint64_t;

  // `sender` and `timers` outlive this. `texts`: see SymbolReply.
  HoverSymbols(lsp::RequestSender& sender, relay::Timers& timers, Texts texts = {})
      : sender_(sender), timers_(timers), texts_(std::move(texts)) {}

  // The symbols of a document if they are cached, else null.
  Tree find(std::string_view uri);
  // Requests the symbols of a document that the server has open, or joins the request that is already out.
  // Returns 0, and does not call the handler, if too many documents are awaited.
  Ticket ask(std::string_view uri, Handler handler);
  // The handler is no longer called. A request without waiters is cancelled at the server.
  void cancel(Ticket ticket);
  // The handler is no longer called, but the symbols are still wanted for the next question.
  void stop_waiting(Ticket ticket);
  // The workspace changed.
  void invalidate();

 private:
  // Hovers stay in one document for a while, then move to another.
  static constexpr std::size_t most_documents = 8;
  // Bounds our memory with a server that answers none of them.
  static constexpr std::size_t most_in_flight = 64;

  struct Document {
    explicit Document(std::string_view its_uri, HoverSymbols& cache)
        : uri(its_uri), fetch(cache.sender_, cache.timers_, cache.texts_) {}

    std::string uri;
    Tree tree{};
    bool stale = false;  // requested before a change: given to the waiters, and not cached
    SymbolFetch fetch;
    std::vector<Ticket> waiting{};
  };
  using Documents = std::list<Document>;

  void receive(Documents::iterator document, SymbolReply& reply);
  // Returns the document for which it was waiting.
  Documents::iterator remove_waiter(Ticket ticket);
  void evict_least_used();

  lsp::RequestSender& sender_;
  relay::Timers& timers_;
  Texts texts_;
  Ticket last_ticket_ = 0;
  Documents documents_;  // the most recently used first
  std::unordered_map<Ticket, Handler> handlers_;
};

}  // namespace symbols::query
