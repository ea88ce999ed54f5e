#include "proxy/query/hover_scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::query {
namespace {

constexpr std::string_view hover_method = "textDocument/hover";

}  // namespace

HoverScheduler::HoverScheduler(lsp::RequestSender& sender, relay::Timers& timers, Options options)
    : sender_(sender), timers_(timers), options_(options), cache_(options.cache_bytes) {
  options_.in_flight = std::max<std::size_t>(options_.in_flight, 1);
}

HoverScheduler::~HoverScheduler() {
  alive_.reset();
  // A handler may own what cancels its tickets when destroyed: that must find nothing here any more.
  const Requests requests = std::exchange(requests_, {});
  queue_.clear();
  std::vector<lsp::RequestNumber> numbers;
  for (const auto& [id, request] : requests) {
    if (request.state == Request::State::in_flight) numbers.push_back(request.number);
  }
  std::sort(numbers.begin(), numbers.end());
  for (const lsp::RequestNumber number : numbers) sender_.cancel(number);
}

const table::HoverText* HoverScheduler::cached(std::string_view uri, lsp::Position position,
                                               std::string_view symbol_name) {
  return cache_.find(uri, position, symbol_name);
}

HoverScheduler::Ticket HoverScheduler::ask(std::string_view uri, lsp::Position position,
                                           std::string_view symbol_name, Handler handler) {
  if (waiting_ >= options_.most_waiting) return {};
  ++waiting_;
  auto& [id, request] = *joinable_request(document_of(uri), position);
  const Ticket ticket{id, ++request.last_waiter};
  request.waiters.emplace(ticket.waiter, Waiter{std::string(symbol_name), std::move(handler)});
  pump();
  return ticket;
}

void HoverScheduler::ask_first(PendingRequest& request, std::string_view params, lsp::ReplyHandler handler,
                               std::chrono::milliseconds retry_for) {
  request.send(hover_method, params, std::move(handler), retry_for);
}

HoverScheduler::Document& HoverScheduler::document_of(std::string_view uri) {
  if (const auto found = documents_.find(uri); found != documents_.end()) return *found->second;
  auto document = std::make_unique<Document>();
  document->uri = uri;
  document->uri_json = lsp::json_string(uri);
  const std::string_view key = document->uri;
  return *documents_.emplace(key, std::move(document)).first->second;
}

// A request for the position that is not sent yet, or was sent since the last change; else a new one.
HoverScheduler::Requests::iterator HoverScheduler::joinable_request(Document& document,
                                                                    lsp::Position position) {
  RequestId& newest = document.newest[position];
  if (newest != 0) {
    const auto known = requests_.find(newest);
    if (known->second.state != Request::State::in_flight || known->second.period == period_) return known;
  }
  newest = ++last_request_;
  ++document.requests;
  const auto added = requests_.try_emplace(newest, timers_).first;
  added->second.document = &document;
  added->second.position = position;
  queue_.insert(newest);
  return added;
}

// Sends what is queued, up to the limit. In batches: with one more request for each reply, server and client
// would wake each other all the time.
void HoverScheduler::pump() {
  if (in_flight_ <= options_.in_flight / 2) filling_ = true;
  while (filling_ && !queue_.empty()) {
    const RequestId id = queue_.extract(queue_.begin()).value();
    send(id, requests_.find(id)->second);
    if (in_flight_ >= options_.in_flight) filling_ = false;
  }
}

void HoverScheduler::send(RequestId id, Request& request) {
  request.state = Request::State::in_flight;
  request.period = period_;
  request.attempts.add();
  ++in_flight_;
  request.number = sender_.request(
      hover_method,
      fmt::format(R"({{"textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}}}})",
                  request.document->uri_json, request.position.line, request.position.character),
      [this, id](const lsp::Reply& reply) { receive(id, reply); });
}

void HoverScheduler::receive(RequestId id, const lsp::Reply& reply) {
  const auto found = requests_.find(id);
  if (found == requests_.end() || found->second.state != Request::State::in_flight) return;
  Request& request = found->second;
  --in_flight_;
  if (ask_again_later(id, request, reply)) {
    pump();
    return;
  }
  Texts texts;
  Outcome outcome = reply.failed ? Outcome::refused : Outcome::nothing;
  if (!reply.failed) {
    if (const Result<lsp::Hover> hover = lsp::decode_hover(reply.result); hover && !hover->parts.empty()) {
      texts = split(request, *hover);
      outcome = Outcome::answered;
    }
  }
  settle(id, request);
  pump();
  deliver(id, outcome, texts);
}

// Schedules a retry if the reply says that the server is not ready.
bool HoverScheduler::ask_again_later(RequestId id, Request& request, const lsp::Reply& reply) {
  const auto delay = request.attempts.retry_delay(reply, options_.retry_for);
  if (!delay) return false;
  request.state = Request::State::waiting;
  request.retry.start(*delay, [this, id, &request] {
    queue_.insert(id);  // near the front: it is an old one
    request.state = Request::State::queued;
    pump();
  });
  return true;
}

void HoverScheduler::cancel(std::span<const Ticket> tickets) {
  // Destroyed at the end: a handler may own what cancels other tickets when destroyed.
  std::vector<Handler> released;
  for (const Ticket ticket : tickets) {
    const auto found = requests_.find(ticket.request);
    if (found == requests_.end()) continue;
    Request& request = found->second;
    auto waiter = request.waiters.extract(ticket.waiter);
    if (!waiter) continue;
    released.push_back(std::move(waiter.mapped().handler));
    --waiting_;
    // A settled request is left to deliver(), which is calling its waiters.
    if (!request.waiters.empty() || request.state == Request::State::settled) continue;
    withdraw(found->first, request);
    requests_.erase(found);
  }
  pump();
}

bool HoverScheduler::reserve_text(std::size_t bytes) {
  if (bytes > options_.most_text - text_) return false;
  text_ += bytes;
  return true;
}

void HoverScheduler::invalidate() {
  ++period_;
  cache_.clear();
}

void HoverScheduler::drop(std::string_view uri) {
  cache_.invalidate(uri);
  const auto document = documents_.find(uri);
  if (document == documents_.end()) return;
  std::vector<RequestId> dropped;
  for (const auto& [id, request] : requests_) {
    if (request.document == document->second.get()) dropped.push_back(id);
  }
  std::sort(dropped.begin(), dropped.end());
  for (const RequestId id : dropped) withdraw(id, requests_.find(id)->second);
  pump();
  const std::weak_ptr alive = alive_;
  for (const RequestId id : dropped) {
    deliver(id, Outcome::dropped, {});
    if (alive.expired()) return;
  }
}

void HoverScheduler::set_loading(bool loading) {
  if (loading == loading_) return;
  loading_ = loading;
  ++period_;
}

// Takes the request off the queue or cancels it at the server, and settles it.
void HoverScheduler::withdraw(RequestId id, Request& request) {
  if (request.state == Request::State::queued) queue_.erase(id);
  if (request.state == Request::State::in_flight) {
    --in_flight_;
    sender_.cancel(request.number);
  }
  settle(id, request);
}

// The texts for the waiters, each split once, and cached if allowed.
HoverScheduler::Texts HoverScheduler::split(const Request& request, const lsp::Hover& hover) {
  Texts texts;
  const bool keep = options_.cache && !loading_ && request.period == period_;
  for (const auto& [number, waiter] : request.waiters) {
    const auto [place, added] = texts.try_emplace(waiter.symbol_name);
    if (!added) continue;
    table::HoverText& text = place->second;
    text = table::split_hover(hover, waiter.symbol_name);
    if (keep && !(text.signature.empty() && text.prose.empty())) {
      cache_.store(request.document->uri, request.position, waiter.symbol_name, text);
    }
  }
  return texts;
}

// From now on the request cannot be joined; what is left is to call its waiters.
void HoverScheduler::settle(RequestId id, Request& request) {
  request.state = Request::State::settled;
  request.retry.stop();
  Document& document = *std::exchange(request.document, nullptr);
  const auto newest = document.newest.find(request.position);
  if (newest != document.newest.end() && newest->second == id) document.newest.erase(newest);
  if (--document.requests == 0) documents_.erase(documents_.find(document.uri));
}

// Calls the waiters of a settled request and erases it. To be done last: a handler may destroy the scheduler.
void HoverScheduler::deliver(RequestId id, Outcome outcome, const Texts& texts) {
  static const table::HoverText nothing;
  const std::weak_ptr alive = alive_;
  // The reference stays valid: only this function erases a settled request, and none can be joined.
  Request& request = requests_.find(id)->second;
  while (!request.waiters.empty()) {
    {
      const auto waiter = request.waiters.extract(request.waiters.begin());
      --waiting_;
      const auto text = texts.find(waiter.mapped().symbol_name);
      waiter.mapped().handler(outcome, text == texts.end() ? nothing : text->second);
    }
    if (alive.expired()) return;
  }
  requests_.erase(id);
}

}  // namespace symbols::query
