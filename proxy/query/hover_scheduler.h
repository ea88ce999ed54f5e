// The hovers for the rows of tables: one request per position, a bounded number at a time, and cached until
// something changes (docs/spec.md, section 7, "Hovers for HOVER_INFO").
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lsp/replies.h"
#include "lsp/requests.h"
#include "proxy/query/pending_request.h"
#include "proxy/relay/timers.h"
#include "table/hover/hover_text.h"

namespace symbols::query {

inline constexpr std::string_view hover_method = "textDocument/hover";

// One scheduler for one server. Single-threaded, without any I/O of its own. Handlers run from within a
// reply's handler or from drop(), never from within ask() or cancel(); they may call anything here, but not
// destroy the scheduler, and own nothing that uses it.
//
// What it does not do: ask() does not look into the cache (cached() does, without a request), and the loss of
// a server goes unnoticed here: the owner then destroys the scheduler, or cancels.
class HoverScheduler {
 public:
  struct Options {
    // The most requests in flight at one time, those that wait for a retry included. A cancelled request no
    // longer counts, since there is no telling when the server lets go of it.
    std::size_t in_flight = 32;
    bool cache = false;
    // How long after the first attempt a hover may be retried if the server answers that it is not ready.
    std::chrono::milliseconds retry_for{10'000};
    // Of cached hovers. If one more does not fit, all that were cached before are forgotten.
    std::size_t cache_bytes = std::size_t{16} << 20U;
    // Handlers that wait, of all documents. No server answers so many in the time that anybody waits.
    std::size_t max_waiting = std::size_t{1} << 20U;
    // The text that may be in rows not finished yet, of all documents: reserve_text().
    std::size_t max_text = std::size_t{256} << 20U;
  };

  enum class Outcome {
    answered,  // the server replied; the text may be empty
    nothing,   // it has no hover there, or its reply is of unknown shape; the text is empty
    refused,   // it answered with an error, or was not ready for too long; the text is empty
    dropped,   // drop() was called; the text is empty
  };
  // The text is valid during the call.
  using Handler = std::function<void(Outcome, const table::HoverText&)>;

  // Identifies one waiter for as long as the scheduler lives. 0 identifies none.
  using Ticket = std::uint64_t;

  // `sender` and `timers` outlive the scheduler. When it is destroyed, what is in flight is cancelled.
  HoverScheduler(lsp::RequestSender& sender, relay::Timers& timers, Options options);
  HoverScheduler(const HoverScheduler&) = delete;
  HoverScheduler& operator=(const HoverScheduler&) = delete;

  // The hover of the symbol `symbol_name` at `position` of the document `uri` if it is cached, else null.
  // Valid until the next call to the scheduler other than this one.
  const table::HoverText* cached(std::string_view uri, lsp::Position position,
                                 std::string_view symbol_name) const;

  // Requests it, or joins the request that is already out for this position. `handler` is called once, later,
  // unless cancel() comes first. First come, first served. Returns no ticket, and never calls the handler, if
  // Options::max_waiting wait already.
  Ticket ask(std::string_view uri, lsp::Position position, std::string_view symbol_name, Handler handler);
  // Their handlers are no longer called. A request without waiters is taken off the queue, or cancelled at
  // the server. Tickets that were answered, dropped or cancelled before are ignored.
  void cancel(std::span<const Ticket> tickets);
  void cancel(Ticket ticket) { cancel(std::span(&ticket, 1)); }

  // The workspace changed: empties the cache, and what is in flight answers its present waiters only. To be
  // called once the change has been sent to the server, so that all later requests come after it.
  void invalidate();
  // The document changed, and with it the workspace: calls the handlers of all waiters for its hovers with
  // `dropped` before it returns, and cancels its requests.
  void drop(std::string_view uri);
  // A hover that is sent or arrives while the server is loading, or was in flight when that began, is never
  // cached.
  void set_loading(bool loading);

  // Before so many bytes of hovers' text are kept in rows whose other hovers are awaited; give_text_back()
  // once the rows are finished. False: too much is kept already, so this text has to be left out.
  bool reserve_text(std::size_t bytes);
  void give_text_back(std::size_t bytes) { text_ -= bytes; }

  std::size_t in_flight() const { return in_flight_; }
  std::size_t queued() const { return queue_.size(); }  // not sent to the server yet

 private:
  using RequestId = std::uint64_t;  // ascending in the order of the requests

  using Place = std::pair<std::string, lsp::Position>;  // with the uri
  struct Waiter {
    RequestId request;
    std::string symbol_name;
    Handler handler;
  };
  // Queued or in flight.
  struct Request {
    Request(lsp::RequestSender& sender, relay::Timers& timers) : pending(sender, timers) {}

    Place place{};
    std::vector<Ticket> waiters{};  // cancelled ones included
    std::size_t waiting = 0;        // of them, those that are not cancelled
    std::uint64_t period = 0;       // when it was sent
    PendingRequest pending;
  };
  using Requests = std::map<RequestId, Request>;
  using Texts = std::unordered_map<std::string, table::HoverText>;  // by Waiter::symbol_name
  using CacheKey = std::pair<Place, std::string>;  // the name changes what is made of a hover

  Requests::iterator joinable_request(const Place& place);
  void pump();
  void receive(RequestId id, const lsp::Reply& reply);
  Requests::node_type take_out(Requests::iterator request);
  Texts split(const Request& request, const lsp::Hover& hover);
  void remember(const Request& request, const std::string& symbol_name, const table::HoverText& text);
  void deliver(const std::vector<Ticket>& waiters, Outcome outcome, const Texts& texts);

  lsp::RequestSender& sender_;
  relay::Timers& timers_;
  Options options_;
  std::map<CacheKey, table::HoverText> cache_;
  std::size_t cached_bytes_ = 0;  // approximately
  Requests requests_;
  std::map<Place, RequestId> newest_;  // of requests_
  RequestId last_request_ = 0;
  std::set<RequestId> queue_;
  std::map<Ticket, Waiter> waiters_;
  Ticket last_ticket_ = 0;
  std::size_t text_ = 0;  // bytes that are reserved
  std::size_t in_flight_ = 0;
  bool filling_ = true;  // queued requests are sent at once
  bool loading_ = false;
  // Counts the events that make earlier requests unfit to be cached or shared.
  std::uint64_t period_ = 0;
};

}  // namespace symbols::query
