// Hovers, cached until the workspace changes, so that a repeated question about a document costs its server
// nothing (docs/spec.md, section 7, "Hovers for HOVER_INFO").
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lsp/range.h"
#include "table/hover/hover_text.h"

namespace symbols::query {

// Bounded: over `max_bytes` the least recently used document is evicted whole. The key is a position and the
// name of the symbol there, since the name changes what split_hover makes of a hover.
class HoverCache {
 public:
  explicit HoverCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Null if there is none. Valid until the next call other than find().
  const table::HoverText* find(std::string_view uri, lsp::Position position, std::string_view symbol_name);
  // Replaces what was cached for the same position and name. A hover that does not fit beside the others of
  // its own document is not cached: a document too large for the cache must not evict itself.
  void store(std::string_view uri, lsp::Position position, std::string_view symbol_name,
             const table::HoverText& text);

  void invalidate(std::string_view uri);
  void clear();

  std::size_t bytes() const { return bytes_; }  // an approximation, bookkeeping included

 private:
  struct View {
    lsp::Position position;
    std::string_view symbol_name;

    bool operator==(const View&) const = default;
  };
  struct Key {
    lsp::Position position;
    std::string symbol_name;

    operator View() const { return {position, symbol_name}; }
    bool operator==(const Key&) const = default;
  };
  // Takes Keys and Views, so that a lookup copies no name.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(View key) const;
  };
  struct Document {
    std::string uri;
    std::size_t bytes = 0;
    std::unordered_map<Key, table::HoverText, Hash, std::equal_to<>> texts;
  };
  using Documents = std::list<Document>;

  Documents::iterator use(std::string_view uri);
  void erase(Documents::iterator document);

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  Documents documents_;                                               // the most recently used at the end
  std::unordered_map<std::string_view, Documents::iterator> by_uri_;  // the keys view Document::uri
};

}  // namespace symbols::query
