#include "proxy/query/hover_scheduler.h"

#include <algorithm>

#include "proxy/query/request_params.h"

namespace symbols::query {

HoverScheduler::HoverScheduler(lsp::RequestSender& sender, relay::Timers& timers, Options options)
    : sender_(sender), timers_(timers), options_(options) {
  options_.in_flight = std::max<std::size_t>(options_.in_flight, 1);
}

const table::HoverText* HoverScheduler::cached(std::string_view uri, lsp::Position position,
                                               std::string_view symbol_name) const {
  if (cache_.empty()) return nullptr;
  const auto found = cache_.find({Place(uri, position), std::string(symbol_name)});
  return found == cache_.end() ? nullptr : &found->second;
}

HoverScheduler::Ticket HoverScheduler::ask(std::string_view uri, lsp::Position position,
                                           std::string_view symbol_name, Handler handler) {
  if (waiters_.size() >= options_.max_waiting) return 0;
  auto& [id, request] = *joinable_request(Place(uri, position));
  request.waiters.push_back(++last_ticket_);
  ++request.waiting;
  waiters_.emplace(last_ticket_, Waiter{id, std::string(symbol_name), std::move(handler)});
  const Ticket ticket = last_ticket_;
  pump();
  return ticket;
}

// A request for the position that is not sent yet, or was sent since the last change; else a new one.
HoverScheduler::Requests::iterator HoverScheduler::joinable_request(const Place& place) {
  RequestId& newest = newest_[place];
  if (newest != 0) {
    const auto known = requests_.find(newest);
    if (queue_.contains(newest) || known->second.period == period_) return known;
  }
  newest = ++last_request_;
  const auto added = requests_.try_emplace(newest, sender_, timers_).first;
  added->second.place = place;
  queue_.insert(newest);
  return added;
}

// Sends what is queued, up to the limit. In batches: with one more request for each reply, server and client
// would wake each other all the time.
void HoverScheduler::pump() {
  if (in_flight_ <= options_.in_flight / 2) filling_ = true;
  while (filling_ && !queue_.empty()) {
    const RequestId id = queue_.extract(queue_.begin()).value();
    Request& request = requests_.at(id);
    request.period = period_;
    if (++in_flight_ >= options_.in_flight) filling_ = false;
    request.pending.send(
        hover_method, place_params(request.place.first, request.place.second),
        [this, id](const lsp::Reply& reply) { receive(id, reply); }, options_.retry_for);
  }
}

void HoverScheduler::receive(RequestId id, const lsp::Reply& reply) {
  Texts texts;
  Outcome outcome = reply.failed ? Outcome::refused : Outcome::nothing;
  const auto found = requests_.find(id);
  if (!reply.failed) {
    if (const Result<lsp::Hover> hover = lsp::decode_hover(reply.result); hover && !hover->parts.empty()) {
      texts = split(found->second, *hover);
      outcome = Outcome::answered;
    }
  }
  const Requests::node_type answered = take_out(found);
  pump();
  deliver(answered.mapped().waiters, outcome, texts);
}

void HoverScheduler::cancel(std::span<const Ticket> tickets) {
  for (const Ticket ticket : tickets) {
    const auto waiter = waiters_.find(ticket);
    if (waiter == waiters_.end()) continue;
    const auto request = requests_.find(waiter->second.request);
    waiters_.erase(waiter);
    // One that was answered is gone, and its other waiters are just being called.
    if (request != requests_.end() && --request->second.waiting == 0) take_out(request);
  }
  pump();
}

bool HoverScheduler::reserve_text(std::size_t bytes) {
  if (bytes > options_.max_text - text_) return false;
  text_ += bytes;
  return true;
}

void HoverScheduler::invalidate() {
  ++period_;
  cache_.clear();
  cached_bytes_ = 0;
}

void HoverScheduler::drop(std::string_view uri) {
  invalidate();
  std::vector<Ticket> waiters;
  for (auto next = requests_.begin(); next != requests_.end();) {
    const auto request = next++;
    if (request->second.place.first != uri) continue;
    const std::vector<Ticket>& dropped = request->second.waiters;
    waiters.insert(waiters.end(), dropped.begin(), dropped.end());
    take_out(request);
  }
  pump();
  deliver(waiters, Outcome::dropped, {});
}

void HoverScheduler::set_loading(bool loading) {
  if (loading == loading_) return;
  loading_ = loading;
  ++period_;
}

// From now on the request cannot be joined. Destroying it cancels it at the server, if it is in flight.
HoverScheduler::Requests::node_type HoverScheduler::take_out(Requests::iterator request) {
  const auto newest = newest_.find(request->second.place);
  if (newest != newest_.end() && newest->second == request->first) newest_.erase(newest);
  if (queue_.erase(request->first) == 0) --in_flight_;
  return requests_.extract(request);
}

// The texts for the waiters, each split once, and cached if allowed.
HoverScheduler::Texts HoverScheduler::split(const Request& request, const lsp::Hover& hover) {
  Texts texts;
  const bool keep = options_.cache && !loading_ && request.period == period_;
  for (const Ticket ticket : request.waiters) {
    const auto waiter = waiters_.find(ticket);
    if (waiter == waiters_.end()) continue;  // cancelled
    const auto [place, added] = texts.try_emplace(waiter->second.symbol_name);
    if (!added) continue;
    place->second = table::split_hover(hover, place->first);
    if (keep) remember(request, place->first, place->second);
  }
  return texts;
}

void HoverScheduler::remember(const Request& request, const std::string& symbol_name,
                              const table::HoverText& text) {
  if (text.signature.empty() && text.prose.empty()) return;
  // Roughly what a tree's node and the heap add to an entry.
  constexpr std::size_t entry_bytes = 64 + sizeof(CacheKey) + sizeof(table::HoverText);
  const std::size_t bytes = entry_bytes + request.place.first.size() + symbol_name.size() +
                            text.signature.size() + text.prose.size();
  if (bytes > options_.cache_bytes) return;
  if (cached_bytes_ + bytes > options_.cache_bytes) {
    cache_.clear();
    cached_bytes_ = 0;
  }
  cached_bytes_ += bytes;
  cache_.insert_or_assign({request.place, symbol_name}, text);
}

// Calls the waiters of requests that were taken out.
void HoverScheduler::deliver(const std::vector<Ticket>& waiters, Outcome outcome, const Texts& texts) {
  static const table::HoverText nothing;
  for (const Ticket ticket : waiters) {
    const auto waiter = waiters_.extract(ticket);
    if (!waiter) continue;  // cancelled, perhaps by the one before
    const auto text = texts.find(waiter.mapped().symbol_name);
    waiter.mapped().handler(outcome, text == texts.end() ? nothing : text->second);
  }
}

}  // namespace symbols::query
