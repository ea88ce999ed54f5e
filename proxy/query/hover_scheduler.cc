#include "proxy/query/hover_scheduler.h"

#include <algorithm>

#include "lsp/replies.h"
#include "table/one_line.h"

namespace symbols::query {

HoverScheduler::HoverScheduler(lsp::RequestSender& sender, io::Timers& timers, Options options)
    : sender_(sender), timers_(timers), options_(options) {
  options_.in_flight = std::max<std::size_t>(options_.in_flight, 1);
}

const table::HoverText* HoverScheduler::cached(const Place& place, const std::string& symbol_name) const {
  if (cache_.empty()) return nullptr;
  const auto found = cache_.find({place, symbol_name});
  return found == cache_.end() ? nullptr : &found->second;
}

// Waits for the request for the place that is not sent yet, or was since the last change; else for a new one.
HoverScheduler::Joined HoverScheduler::join(const Place& place, Waiter waiter) {
  const auto [known, is_new] = joinable_.try_emplace(place);
  if (is_new) known->second = queued_.emplace(queued_.end(), sender_, timers_, place);
  const Requests::iterator request = known->second;
  ++waiting_;
  return {request, request->waiters.insert(request->waiters.end(), waiter)};
}

// Sends what is queued, up to the limit. In batches: with one more request for each reply, server and client
// would wake each other all the time.
void HoverScheduler::pump() {
  if (in_flight_.size() <= options_.in_flight / 2) filling_ = true;
  while (filling_ && !queued_.empty()) {
    const auto request = queued_.begin();
    in_flight_.splice(in_flight_.end(), queued_, request);
    request->is_sent = true;
    if (in_flight_.size() >= options_.in_flight) filling_ = false;
    request->pending.send(
        hover_method, place_params(request->place.first, request->place.second),
        [this, request](const lsp::Reply& reply) { receive(request, reply); }, options_.retry_for);
  }
}

void HoverScheduler::receive(Requests::iterator request, const lsp::Reply& reply) {
  Outcome outcome = reply.failed ? Outcome::refused : Outcome::nothing;
  const Result<lsp::Hover> hover = reply.failed ? Error{} : lsp::decode_hover(reply.result);
  if (hover && !hover->parts.empty()) outcome = Outcome::answered;
  const bool keep = options_.cache && !loading_ && request->is_current;
  const Requests answered = take_out(request);
  pump();
  std::map<std::string, table::HoverText> texts;  // by the symbol's name
  for (const Waiter& waiter : request->waiters) {
    const auto [text, is_new] = texts.try_emplace(waiter.collector->rows_.all[waiter.row].name);
    if (is_new && outcome == Outcome::answered) {
      text->second = table::split_hover(*hover, text->first);
      if (keep) remember(request->place, text->first, text->second);
    }
    waiter.collector->receive(waiter.row, outcome, text->second);
  }
  call_complete();
}

void HoverScheduler::invalidate() {
  for (Request& request : in_flight_) outdate(request);
  cache_.clear();
  cached_bytes_ = 0;
}

void HoverScheduler::drop(std::string_view uri) {
  invalidate();
  std::list<Waiter> waiters;
  for (Requests* const requests : {&in_flight_, &queued_}) {
    for (auto next = requests->begin(); next != requests->end();) {
      const auto request = next++;
      if (request->place.first != uri) continue;
      waiters.splice(waiters.end(), request->waiters);
      take_out(request);
    }
  }
  pump();
  for (const Waiter& waiter : waiters) waiter.collector->receive(waiter.row, Outcome::dropped, {});
  call_complete();
}

void HoverScheduler::set_loading(bool loading) {
  if (std::exchange(loading_, loading) == loading) return;
  for (Request& request : in_flight_) outdate(request);
}

// From now on the request is not joined.
void HoverScheduler::outdate(Request& request) {
  if (std::exchange(request.is_current, false)) joinable_.erase(request.place);
}

// Takes the request out of its list: it is joined no more. Destroying it cancels it, if it is in flight.
HoverScheduler::Requests HoverScheduler::take_out(Requests::iterator request) {
  outdate(*request);
  Requests taken;
  taken.splice(taken.end(), request->is_sent ? in_flight_ : queued_, request);
  return taken;
}

void HoverScheduler::remember(const Place& place, const std::string& symbol_name,
                              const table::HoverText& text) {
  if (text.signature.empty() && text.prose.empty()) return;
  // Roughly what a tree's node and the heap add to an entry.
  constexpr std::size_t entry_bytes = 64 + sizeof(CacheKey) + sizeof(table::HoverText);
  const std::size_t bytes =
      entry_bytes + place.first.size() + symbol_name.size() + text.signature.size() + text.prose.size();
  if (bytes > options_.cache_bytes) return;
  if (cached_bytes_ + bytes > options_.cache_bytes) {
    cache_.clear();
    cached_bytes_ = 0;
  }
  cached_bytes_ += bytes;
  cache_.insert_or_assign({place, symbol_name}, text);
}

// Each call may destroy any collector, and change any request.
void HoverScheduler::call_complete() {
  while (!complete_.empty()) {
    HoverCollector* const collector = complete_.front();
    complete_.pop_front();
    const std::function<void()> done = std::move(collector->done_);
    done();
  }
}

HoverCollector::HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows,
                               HoverForm form, std::function<void()> done, WrittenDeclarations written)
    : scheduler_(scheduler),
      uri_(std::move(uri)),
      rows_(std::move(rows)),
      form_(form),
      done_(std::move(done)),
      written_(std::move(written)) {
  rows_.with_hover = true;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const HoverScheduler::Place place(uri_, rows_.all[row].selection_range.start);
    if (const table::HoverText* text = scheduler_.cached(place, rows_.all[row].name)) {
      ++counts_.given;
      fill(row, *text);
    } else if (scheduler_.waiting_ < scheduler_.options_.max_waiting) {
      awaited_.emplace(row, scheduler_.join(place, {this, row}));
    } else {
      ++counts_.missing;
    }
  }
  scheduler_.pump();
}

void HoverCollector::receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text) {
  using enum HoverScheduler::Outcome;
  awaited_.erase(row);
  --scheduler_.waiting_;
  if (outcome == answered) ++counts_.given;
  if (outcome == refused) ++counts_.refused;
  if (outcome == refused || outcome == dropped) ++counts_.missing;
  fill(row, text);
  if (awaited_.empty()) scheduler_.complete_.push_back(this);
}

void HoverCollector::fill(std::size_t row, const table::HoverText& whole) {
  table::Row& symbol = rows_.all[row];
  table::HoverText text = table::row_hover(symbol, whole);
  written_.replace_signature(text, symbol);
  std::string hover = table::join_hover(text, form_.characters);
  table::HoverText parts;
  if (form_.parts) {
    parts = {table::cut_signature(text.signature, form_.characters),
             table::cut_text(text.prose, form_.characters)};
  }
  const std::size_t size = hover.size() + parts.signature.size() + parts.prose.size();
  if (size > scheduler_.options_.max_text - scheduler_.text_) {
    ++counts_.missing;
    return;
  }
  text_ += size;
  scheduler_.text_ += size;
  symbol.hover = std::move(hover);
  symbol.hover_parts = std::move(parts);
}

void HoverCollector::cancel() {
  scheduler_.text_ -= std::exchange(text_, 0);
  scheduler_.complete_.remove(this);
  if (awaited_.empty()) return;
  scheduler_.waiting_ -= awaited_.size();
  for (const auto& [row, joined] : std::exchange(awaited_, {})) {
    const auto& [request, waiter] = joined;
    request->waiters.erase(waiter);
    if (request->waiters.empty()) scheduler_.take_out(request);
  }
  scheduler_.pump();
}

std::pair<table::SymbolRows, HoverCollector::Counts> HoverCollector::take() {
  counts_.missing += awaited_.size();
  cancel();
  return {std::move(rows_), counts_};
}

}  // namespace symbols::query
