#include "proxy/query/silent_places.h"

#include <algorithm>
#include <utility>

namespace symbols::query {
namespace {

// What is sorted otherwise is the same symbols.
bool keeps_the_same(const table::Selection& a, const table::Selection& b) {
  return a.kinds == b.kinds && a.match == b.match && a.levels == b.levels;
}

}  // namespace

void SilentPlaces::note(std::string_view uri, const table::Selection& selection,
                        std::vector<HoverPlace> places) {
  std::erase_if(documents_, [&](const Document& document) { return document.uri == uri; });
  std::erase_if(places, [](const HoverPlace& place) { return place.symbol_name.size() > longest_name; });
  if (places.empty()) return;
  if (places.size() > most_places) places.resize(most_places);
  documents_.push_front({.uri = std::string(uri), .selection = selection, .places = std::move(places)});
  if (documents_.size() > most_documents) documents_.pop_back();
}

std::vector<HoverPlace> SilentPlaces::find(std::string_view uri, const table::Selection& selection) const {
  const auto found = std::ranges::find(documents_, uri, &Document::uri);
  if (found == documents_.end() || !keeps_the_same(found->selection, selection)) return {};
  return found->places;
}

}  // namespace symbols::query
