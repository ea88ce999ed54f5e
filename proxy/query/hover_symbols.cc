#include "proxy/query/hover_symbols.h"

#include <algorithm>
#include <utility>

namespace symbols::query {

HoverSymbols::Tree HoverSymbols::find(std::string_view uri) {
  const auto found = std::ranges::find_if(
      documents_, [uri](const Document& document) { return document.uri == uri && document.tree; });
  if (found == documents_.end()) return nullptr;
  documents_.splice(documents_.begin(), documents_, found);
  return found->tree;
}

HoverSymbols::Ticket HoverSymbols::ask(std::string_view uri, Handler handler) {
  auto found = std::ranges::find_if(documents_, [uri](const Document& document) {
    return document.uri == uri && document.fetch.is_out() && !document.stale;
  });
  if (found == documents_.end()) {
    const auto out = [](const Document& document) { return document.fetch.is_out(); };
    if (std::ranges::count_if(documents_, out) >= std::ptrdiff_t{most_in_flight}) return 0;
    documents_.emplace_front(uri, *this);
    found = documents_.begin();
    found->fetch.start(uri, {}, {}, [this, found](SymbolReply& reply) { receive(found, reply); });
  }
  found->waiting.push_back(++last_ticket_);
  handlers_.emplace(last_ticket_, std::move(handler));
  return last_ticket_;
}

void HoverSymbols::receive(Documents::iterator document, SymbolReply& reply) {
  Tree tree;
  if (reply.tree()) tree = std::make_shared<const lsp::SymbolTree>(std::move(*reply.tree()));
  const std::vector<Ticket> waiting = std::exchange(document->waiting, {});
  // A server that is loading may answer that a document has no symbols: not cached, so that it is asked
  // again.
  if (!tree || tree->symbols.empty() || document->stale) {
    documents_.erase(document);
  } else {
    document->tree = tree;
  }
  evict_least_used();
  for (const Ticket ticket : waiting) {
    if (auto waiter = handlers_.extract(ticket))
      waiter.mapped()(tree);  // else the previous handler cancelled it
  }
}

HoverSymbols::Documents::iterator HoverSymbols::remove_waiter(Ticket ticket) {
  handlers_.erase(ticket);
  return std::ranges::find_if(
      documents_, [ticket](Document& document) { return std::erase(document.waiting, ticket) > 0; });
}

void HoverSymbols::cancel(Ticket ticket) {
  const auto document = remove_waiter(ticket);
  if (document != documents_.end() && document->waiting.empty()) documents_.erase(document);
}

void HoverSymbols::stop_waiting(Ticket ticket) {
  (void)remove_waiter(ticket);
}

// Those in flight stay: their replies are awaited.
void HoverSymbols::evict_least_used() {
  std::size_t kept = 0;
  std::erase_if(documents_,
                [&kept](const Document& document) { return document.tree && ++kept > most_documents; });
}

void HoverSymbols::invalidate() {
  std::erase_if(documents_, [](const Document& document) { return document.tree != nullptr; });
  for (Document& document : documents_) document.stale = true;
}

}  // namespace symbols::query
