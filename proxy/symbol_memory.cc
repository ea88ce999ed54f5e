#include "proxy/symbol_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json.h"

namespace symbols::proxy {

void SymbolMemory::ask(std::string_view uri, Handler handler) {
  const auto found = std::find_if(documents_.begin(), documents_.end(), [uri](const auto& entry) {
    return entry.second.uri == uri && !entry.second.stale;
  });
  if (found != documents_.end()) {
    documents_.splice(documents_.begin(), documents_, found);
    if (!found->second.in_flight) {
      const Tree tree = found->second.tree;
      handler(tree);
    } else {
      found->second.waiting.push_back(std::move(handler));
    }
    return;
  }
  // Those in flight stay: their replies are waited for.
  while (documents_.size() >= most_documents && !documents_.back().second.in_flight) documents_.pop_back();
  const std::uint64_t number = ++last_number_;
  documents_.emplace_front(number,
                           Document{.uri = std::string(uri), .tree = {}, .in_flight = true, .waiting = {}});
  documents_.front().second.waiting.push_back(std::move(handler));
  sender_.request("textDocument/documentSymbol",
                  fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri)),
                  [this, number](const lsp::Reply& reply) { receive(number, reply); });
}

void SymbolMemory::receive(std::uint64_t number, const lsp::Reply& reply) {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [number](const auto& entry) { return entry.first == number; });
  if (found == documents_.end()) return;
  Tree tree;
  if (!reply.failed) {
    if (Result<lsp::SymbolTree> decoded = lsp::decode_document_symbols(reply.result)) {
      tree = std::make_shared<const lsp::SymbolTree>(std::move(*decoded));
    }
  }
  const std::vector<Handler> waiting = std::exchange(found->second.waiting, {});
  found->second.in_flight = false;
  found->second.tree = tree;
  if (!tree || found->second.stale) documents_.erase(found);
  for (const Handler& handler : waiting) handler(tree);
}

void SymbolMemory::forget() {
  for (auto document = documents_.begin(); document != documents_.end();) {
    document->second.stale = true;
    document = document->second.in_flight ? std::next(document) : documents_.erase(document);
  }
}

void SymbolMemory::clear() {
  documents_.clear();
}

}  // namespace symbols::proxy
