// The symbols of documents, kept while nothing changes and shared by those who wait for them: to tell which
// of them a hover is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/reply.h"
#include "proxy/query/symbol_fetch.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// Single-threaded. Handlers run from within a reply's handler, never from within a call to this.
class HoverSymbols {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null where the server has failed
  using Handler = std::function<void(const Tree&)>;
  // Names one who waits; 0 names none.
  using Ticket = std::uint64_t;

  // `sender` and `timers` outlive this. `texts`: as SymbolReply has it.
  HoverSymbols(lsp::RequestSender& sender, relay::Timers& timers, Texts texts = {})
      : sender_(sender), timers_(timers), texts_(std::move(texts)) {}

  // The symbols of a document where they are known, else null.
  Tree find(std::string_view uri);
  // Hands over the symbols of a document that the server has open when they come: asks for them, or joins
  // those who wait already. 0, and the handler is not called, where too many documents are asked for.
  Ticket ask(std::string_view uri, Handler handler);
  // The handler is not called any more. What nobody waits for then is cancelled at the server.
  void cancel(Ticket ticket);
  // The handler is not called any more, but the symbols are still wanted, for the next who asks.
  void stop_waiting(Ticket ticket);
  // The workspace changed.
  void invalidate();

 private:
  // A hover looks at one document for a while, then at another.
  static constexpr std::size_t most_documents = 8;
  // A server that answers none of these must not fill our memory.
  static constexpr std::size_t most_in_flight = 64;

  struct Waiter {
    Ticket ticket;
    Handler handler;
  };
  struct Document {
    explicit Document(std::string_view its_uri, HoverSymbols& cache)
        : uri(its_uri), fetch(cache.sender_, cache.timers_, cache.texts_) {}

    std::string uri;
    Tree tree{};
    bool stale = false;  // asked for before a change: given to who waits, and not kept
    SymbolFetch fetch;
    std::vector<Waiter> waiting{};
  };
  using Documents = std::list<Document>;

  void receive(Documents::iterator document, SymbolReply& reply);
  // The document in which it was found.
  Documents::iterator remove_waiter(Ticket ticket);
  void evict_least_used();

  lsp::RequestSender& sender_;
  relay::Timers& timers_;
  Texts texts_;
  Ticket last_ticket_ = 0;
  Documents documents_;              // the last used first
  std::vector<Waiter> handed_over_;  // those that a reply has come for and that were not called yet
};

}  // namespace symbols::query
