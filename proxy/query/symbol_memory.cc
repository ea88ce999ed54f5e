#include "proxy/query/symbol_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::query {

SymbolMemory::Ticket SymbolMemory::ask(std::string_view uri, Handler handler) {
  auto found = std::ranges::find_if(
      documents_, [uri](const Document& document) { return document.uri == uri && !document.stale; });
  if (found != documents_.end() && !found->in_flight) {
    documents_.splice(documents_.begin(), documents_, found);
    const Tree tree = found->tree;
    handler(tree);
    return 0;
  }
  if (found == documents_.end()) {
    if (std::ranges::count_if(documents_, &Document::in_flight) >=
        static_cast<std::ptrdiff_t>(most_in_flight)) {
      handler(nullptr);
      return 0;
    }
    const std::uint64_t number = ++last_number_;
    found = documents_.insert(documents_.begin(), Document{.number = number, .uri = std::string(uri)});
    found->request = sender_.request("textDocument/documentSymbol",
                                     fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri)),
                                     [this, number](const lsp::Reply& reply) { receive(number, reply); });
  }
  found->waiting.push_back({++last_ticket_, std::move(handler)});
  return last_ticket_;
}

void SymbolMemory::receive(std::uint64_t number, const lsp::Reply& reply) {
  const auto found =
      std::ranges::find_if(documents_, [number](const Document& entry) { return entry.number == number; });
  if (found == documents_.end()) return;
  Tree tree;
  if (!reply.failed) {
    const auto text = texts_ ? texts_(found->uri) : nullptr;
    if (Result<lsp::SymbolTree> decoded =
            lsp::decode_document_symbols(reply.result, text ? std::string_view(*text) : std::string_view())) {
      tree = std::make_shared<const lsp::SymbolTree>(std::move(*decoded));
    }
  }
  const std::vector<Waiter> waiting = std::exchange(found->waiting, {});
  found->in_flight = false;
  found->tree = tree;
  // Of a document without symbols a server that is loading says the same: it is asked again.
  if (!tree || tree->symbols.empty() || found->stale) documents_.erase(found);
  forget_least_used();
  for (const Waiter& waiter : waiting) waiter.handler(tree);
}

SymbolMemory::Documents::iterator SymbolMemory::remove_waiter(Ticket ticket) {
  for (auto document = documents_.begin(); document != documents_.end(); ++document) {
    if (std::erase_if(document->waiting, [ticket](const Waiter& one) { return one.ticket == ticket; }) > 0) {
      return document;
    }
  }
  return documents_.end();
}

void SymbolMemory::cancel(Ticket ticket) {
  const auto document = remove_waiter(ticket);
  if (document == documents_.end() || !document->waiting.empty()) return;
  const lsp::RequestNumber request = document->request;
  documents_.erase(document);
  sender_.cancel(request);
}

void SymbolMemory::stop_waiting(Ticket ticket) {
  (void)remove_waiter(ticket);
}

// Those in flight stay: their replies are waited for.
void SymbolMemory::forget_least_used() {
  std::size_t kept = 0;
  for (auto document = documents_.begin(); document != documents_.end();) {
    const bool over = !document->in_flight && ++kept > most_documents;
    document = over ? documents_.erase(document) : std::next(document);
  }
}

void SymbolMemory::forget() {
  for (auto document = documents_.begin(); document != documents_.end();) {
    document->stale = true;
    document = document->in_flight ? std::next(document) : documents_.erase(document);
  }
}

}  // namespace symbols::query
