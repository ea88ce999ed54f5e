// Where the server had no hover to give when a document was last asked about. That it had none is never
// remembered (docs/spec.md, section 7, "Hovers for HOVER_INFO"); where it had none is, so that it can be
// asked for them again without waiting for the symbols first.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/range.h"
#include "table/selection.h"

namespace symbols::query {

struct HoverPlace {
  lsp::Position position;
  std::string symbol_name;

  auto operator<=>(const HoverPlace&) const = default;
};

// Holds until the workspace changes; then forget() has to be called. Bounded: of a document's places those
// beyond `most_places` are not kept, none with a name over `longest_name` bytes is, and over `most_documents`
// the one noted longest ago goes. Single-threaded.
class SilentPlaces {
 public:
  static constexpr std::size_t most_documents = 32;  // a batch asks about 16
  static constexpr std::size_t most_places = 512;
  static constexpr std::size_t longest_name = 256;

  // `places`: all those of the symbols that `selection` keeps. Replaces what was known of the document.
  void note(std::string_view uri, const table::Selection& selection, std::vector<HoverPlace> places);
  // Empty where the document was last asked about with another selection: its symbols may be others. A
  // request that brings a pattern of its own is never the same.
  std::vector<HoverPlace> find(std::string_view uri, const table::Selection& selection) const;
  void forget() { documents_.clear(); }

 private:
  struct Document {
    std::string uri;
    table::Selection selection;
    std::vector<HoverPlace> places;
  };
  std::list<Document> documents_;  // the last noted first
};

}  // namespace symbols::query
