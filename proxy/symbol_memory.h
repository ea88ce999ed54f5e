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
#include <utility>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/reply.h"

namespace symbols::proxy {

// Single-threaded. Handlers run from within a reply's handler, or from ask().
class SymbolMemory {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null where the server has failed
  using Handler = std::function<void(const Tree&)>;

  // `sender` must outlive this.
  explicit SymbolMemory(lsp::RequestSender& sender) : sender_(sender) {}

  // Hands over the symbols of a document that the server has open: at once where they are remembered, else
  // when they come. Who has lost interest must say so to its own handler.
  void ask(std::string_view uri, Handler handler);
  // The workspace changed.
  void forget();
  // The server is lost: no handler is called any more.
  void clear();

 private:
  // A hover looks at one document for a while, then at another.
  static constexpr std::size_t most_documents = 8;

  struct Document {
    std::string uri;
    Tree tree;
    bool in_flight = false;
    bool stale = false;  // asked for before a change: given to who waits, and not kept
    std::vector<Handler> waiting{};
  };

  void receive(std::uint64_t number, const lsp::Reply& reply);

  lsp::RequestSender& sender_;
  std::uint64_t last_number_ = 0;
  std::list<std::pair<std::uint64_t, Document>> documents_;  // the last used first
};

}  // namespace symbols::proxy
