// The symbols of documents that the proxy itself asked for, to tell which of them a hover is about: kept
// while nothing changes.
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

namespace symbols::query {

// Single-threaded. Handlers run from within a reply's handler, or from ask().
class SymbolMemory {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null where the server has failed
  using Handler = std::function<void(const Tree&)>;
  // The text of a document as the server knows it (valid UTF-8), or null where it is not known.
  using Texts = std::function<std::shared_ptr<const std::string>(std::string_view uri)>;
  // Names one who waits; 0 names none.
  using Ticket = std::uint64_t;

  // `sender` must outlive this. `texts` tells where the names in a flat reply stand; without it their
  // selections are not known.
  explicit SymbolMemory(lsp::RequestSender& sender, Texts texts = {})
      : sender_(sender), texts_(std::move(texts)) {}

  // Hands over the symbols of a document that the server has open: at once where they are remembered, else
  // when they come. Where too many documents are asked for already, null at once. 0 where it was at once.
  Ticket ask(std::string_view uri, Handler handler);
  // The handler is not called any more, unless the symbols are being handed over just now. What nobody waits
  // for then is cancelled at the server.
  void cancel(Ticket ticket);
  // The handler is not called any more, but the symbols are still wanted, for the next who asks.
  void stop_waiting(Ticket ticket);
  // The workspace changed.
  void forget();

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
    std::uint64_t number = 0;
    std::string uri;
    Tree tree{};
    bool in_flight = true;
    bool stale = false;  // asked for before a change: given to who waits, and not kept
    lsp::RequestNumber request = 0;
    std::vector<Waiter> waiting{};
  };
  using Documents = std::list<Document>;

  void receive(std::uint64_t number, const lsp::Reply& reply);
  // The document in which it was found.
  Documents::iterator remove_waiter(Ticket ticket);
  void forget_least_used();

  lsp::RequestSender& sender_;
  Texts texts_;
  std::uint64_t last_number_ = 0;
  Ticket last_ticket_ = 0;
  Documents documents_;  // the last used first
};

}  // namespace symbols::query
