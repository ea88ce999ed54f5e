#include "proxy/query/early_hovers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace symbols::query {

EarlyHovers::EarlyHovers(HoverPool& pool, std::string_view uri, std::vector<HoverPlace> places)
    : pool_(pool), period_(pool.period()) {
  std::erase_if(places, [&](const HoverPlace& place) {
    return pool.remembered(uri, place.position, place.symbol_name) != nullptr;
  });
  std::ranges::sort(places);
  hovers_.reserve(places.size());
  for (HoverPlace& place : places) hovers_.push_back({.place = std::move(place), .ticket = {}});
  for (Early& early : hovers_) {
    early.ticket = pool_.ask(uri, early.place.position, early.place.symbol_name,
                             [this, &early](HoverPool::Outcome outcome, const table::HoverText& text) {
                               early.ticket = {};
                               if (outcome != HoverPool::Outcome::answered) return;
                               if (text == table::HoverText{}) {
                                 early.none_since = std::chrono::steady_clock::now();
                               } else {
                                 knows_more_ = true;
                               }
                             });
  }
}

EarlyHovers::~EarlyHovers() {
  std::vector<HoverPool::Ticket> tickets;
  for (const Early& early : hovers_) {
    if (early.ticket) tickets.push_back(early.ticket);
  }
  pool_.cancel(tickets);
}

bool EarlyHovers::none_at(lsp::Position position, std::string_view symbol_name) const {
  if (pool_.period() != period_ || knows_more_) return false;
  const auto found =
      std::ranges::lower_bound(hovers_, std::pair(position, symbol_name), {}, [](const Early& early) {
        return std::pair(early.place.position, std::string_view(early.place.symbol_name));
      });
  return found != hovers_.end() && found->place.position == position &&
         found->place.symbol_name == symbol_name && found->none_since &&
         std::chrono::steady_clock::now() - *found->none_since <= believed_for;
}

}  // namespace symbols::query
