#include "proxy/query/hover_cache.h"

namespace symbols::query {
namespace {

// Roughly what a hash table's node, its bucket and the heap add to an entry or a document.
constexpr std::size_t node_bytes = 64;

std::size_t cost(std::string_view symbol_name, const table::HoverText& text) {
  return node_bytes + sizeof(std::string) + sizeof(lsp::Position) + sizeof(table::HoverText) +
         symbol_name.size() + text.signature.size() + text.prose.size();
}

}  // namespace

std::size_t HoverCache::Hash::operator()(View key) const {
  const std::size_t place = (std::size_t{key.position.line} << 16U) ^ key.position.character;
  return std::hash<std::string_view>()(key.symbol_name) ^ (place * 0x9E3779B97F4A7C15U);
}

const table::HoverText* HoverCache::find(std::string_view uri, lsp::Position position,
                                         std::string_view symbol_name) {
  const auto document = use(uri);
  if (document == documents_.end()) return nullptr;
  const auto found = document->texts.find(View{position, symbol_name});
  return found == document->texts.end() ? nullptr : &found->second;
}

void HoverCache::store(std::string_view uri, lsp::Position position, std::string_view symbol_name,
                       const table::HoverText& text) {
  auto document = use(uri);
  const bool is_new = document == documents_.end();
  const std::size_t document_cost = is_new ? sizeof(Document) + 2 * node_bytes + uri.size() : 0;
  if (!is_new) {
    if (const auto old = document->texts.find(View{position, symbol_name}); old != document->texts.end()) {
      const std::size_t freed = cost(symbol_name, old->second);
      document->bytes -= freed;
      bytes_ -= freed;
      document->texts.erase(old);
    }
  }
  const std::size_t wanted = document_cost + cost(symbol_name, text);
  if (wanted + (is_new ? 0 : document->bytes) > max_bytes_) return;
  while (bytes_ + wanted > max_bytes_) erase(documents_.begin());
  if (is_new) {
    document =
        documents_.insert(documents_.end(), Document{.uri = std::string(uri), .bytes = 0, .texts = {}});
    by_uri_.emplace(document->uri, document);
  }
  document->texts.emplace(Key{position, std::string(symbol_name)}, text);
  document->bytes += wanted;
  bytes_ += wanted;
}

void HoverCache::invalidate(std::string_view uri) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) erase(found->second);
}

void HoverCache::clear() {
  by_uri_.clear();
  documents_.clear();
  bytes_ = 0;
}

// Finds the document and makes it the most recently used; end() if nothing of it is cached.
HoverCache::Documents::iterator HoverCache::use(std::string_view uri) {
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return documents_.end();
  documents_.splice(documents_.end(), documents_, found->second);
  return found->second;
}

void HoverCache::erase(Documents::iterator document) {
  bytes_ -= document->bytes;
  by_uri_.erase(document->uri);
  documents_.erase(document);
}

}  // namespace symbols::query
