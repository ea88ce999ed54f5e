// The hover requests to a server: the only place that sends textDocument/hover. The client's own hovers go
// first. Those for the rows of tables are one request per position, a bounded number at a time, and cached
// until something changes (docs/spec.md, section 7, "Hovers for HOVER_INFO").
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lsp/hover.h"
#include "lsp/reply.h"
#include "proxy/query/hover_cache.h"
#include "proxy/query/pending_request.h"
#include "proxy/relay/timers.h"
#include "table/hover/hover_text.h"

namespace symbols::query {

// One scheduler for one server. Single-threaded, without any I/O of its own. Handlers run from within a
// reply's handler or from drop(), never from within ask() or cancel(); they may call anything here, and
// destroy the scheduler.
//
// What it does not do: ask() does not look into the cache (cached() does, without a request), and the loss of
// a server goes unnoticed here: the owner then destroys the scheduler, or cancels.
class HoverScheduler {
 public:
  struct Options {
    // The most requests in flight at one time. A cancelled request no longer counts, since there is no
    // telling when the server lets go of it.
    std::size_t in_flight = 32;
    bool cache = false;
    // How long after the first attempt a hover may be retried if the server answers that it is not ready.
    std::chrono::milliseconds retry_for{10'000};
    std::size_t cache_bytes = std::size_t{16} << 20U;  // HoverCache's max_bytes
    // Handlers that wait, of all documents. No server answers so many in the time that anybody waits.
    std::size_t most_waiting = std::size_t{1} << 20U;
    // The text that may be in rows not finished yet, of all documents: reserve_text().
    std::size_t most_text = std::size_t{256} << 20U;
  };

  enum class Outcome {
    answered,  // the server replied; the text may be empty
    nothing,   // it has no hover there, or its reply is of unknown shape; the text is empty
    refused,   // it answered with an error, or was not ready for too long; the text is empty
    dropped,   // drop() was called; the text is empty
  };
  // The text is valid during the call.
  using Handler = std::function<void(Outcome, const table::HoverText&)>;

  // Identifies one waiter for as long as the scheduler lives. A default-constructed one identifies none.
  struct Ticket {
    std::uint64_t request = 0;
    std::uint32_t waiter = 0;

    explicit operator bool() const { return request != 0; }
    bool operator==(const Ticket&) const = default;
  };

  // `sender` and `timers` outlive the scheduler.
  HoverScheduler(lsp::RequestSender& sender, relay::Timers& timers, Options options);
  // Cancels what is in flight; no handler is called any more.
  ~HoverScheduler();
  HoverScheduler(const HoverScheduler&) = delete;
  HoverScheduler& operator=(const HoverScheduler&) = delete;

  // The hover of the symbol `symbol_name` at `position` of the document `uri` if it is cached, else null.
  // Valid until the next call to the scheduler other than this one.
  const table::HoverText* cached(std::string_view uri, lsp::Position position, std::string_view symbol_name);

  // Requests it, or joins the request that is already out for this position. `handler` is called once, later,
  // unless cancel() comes first. First come, first served. Returns no ticket, and never calls the handler, if
  // Options::most_waiting wait already.
  Ticket ask(std::string_view uri, lsp::Position position, std::string_view symbol_name, Handler handler);
  // Sends a hover that the client itself waits for: unchanged, at once, before all that is queued, whatever
  // else is in flight. The parameters are those of PendingRequest::send.
  void ask_first(PendingRequest& request, std::string_view params, lsp::ReplyHandler handler,
                 std::chrono::milliseconds retry_for = {});
  // Their handlers are no longer called. A request without waiters is taken off the queue, or cancelled at
  // the server. Tickets that were answered, dropped or cancelled before are ignored.
  void cancel(std::span<const Ticket> tickets);
  void cancel(Ticket ticket) { cancel(std::span(&ticket, 1)); }

  // The workspace changed: empties the cache, and what is in flight answers its present waiters only. To be
  // called once the change has been sent to the server, so that all later requests come after it.
  void invalidate();
  // The document changed: calls the handlers of all waiters for its hovers with `dropped` before it returns,
  // cancels its requests and empties its cache. For other documents that the change may affect call
  // invalidate() first.
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

  // A document with requests.
  struct Document {
    std::string uri;
    std::string uri_json;
    std::map<lsp::Position, RequestId> newest;  // request for each position
    std::size_t requests = 0;                   // older ones included
  };
  struct Waiter {
    std::string symbol_name;
    Handler handler;
  };
  struct Request {
    enum class State { queued, in_flight, waiting, settled };
    explicit Request(relay::Timers& timers) : retry(timers) {}

    State state = State::queued;
    Document* document = nullptr;  // null once settled
    lsp::Position position;
    std::map<std::uint32_t, Waiter> waiters;  // by Ticket::waiter
    std::uint32_t last_waiter = 0;
    Attempts attempts;
    lsp::RequestNumber number = 0;  // the sender's, while in flight
    std::uint64_t period = 0;       // when it was sent
    relay::Timer retry;             // while in State::waiting
  };

  using Requests = std::unordered_map<RequestId, Request>;
  using Texts = std::unordered_map<std::string, table::HoverText>;  // by Waiter::symbol_name

  Document& document_of(std::string_view uri);
  Requests::iterator joinable_request(Document& document, lsp::Position position);
  void pump();
  void send(RequestId id, Request& request);
  void receive(RequestId id, const lsp::Reply& reply);
  bool ask_again_later(RequestId id, Request& request, const lsp::Reply& reply);
  void withdraw(RequestId id, Request& request);
  Texts split(const Request& request, const lsp::Hover& hover);
  void settle(RequestId id, Request& request);
  void deliver(RequestId id, Outcome outcome, const Texts& texts);

  lsp::RequestSender& sender_;
  relay::Timers& timers_;
  Options options_;
  HoverCache cache_;
  std::unordered_map<std::string_view, std::unique_ptr<Document>> documents_;  // the keys view Document::uri
  Requests requests_;
  RequestId last_request_ = 0;
  std::set<RequestId> queue_;
  std::size_t waiting_ = 0;  // handlers
  std::size_t text_ = 0;     // bytes that are reserved
  std::size_t in_flight_ = 0;
  bool filling_ = true;  // queued requests are sent at once
  bool loading_ = false;
  // Counts the events that make earlier requests unfit to be cached or shared.
  std::uint64_t period_ = 0;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // checked after each handler
};

}  // namespace symbols::query
