// The hovers for the rows of tables: one request per position, a bounded number at a time, and cached until
// something changes (docs/spec.md, section 7, "Hovers for HOVER_INFO").
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "lsp/position.h"
#include "lsp/requests.h"
#include "proxy/io/timers.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"

namespace symbols::query {

class HoverCollector;

// Requests the hovers that the collectors of one server wait for, first come, first served. Single-threaded.
// The loss of a server goes unnoticed here: its owner takes what the collectors have.
class HoverScheduler {
 public:
  struct Options {
    // The most requests in flight at one time, those that wait for a retry included. A cancelled request no
    // longer counts, since there is no telling when the server lets go of it.
    std::size_t in_flight = 32;
    bool cache = false;
    // How long after the first attempt a hover may be retried if the server answers that it is not ready.
    milliseconds retry_for{10'000};
    // Of cached hovers. If one more does not fit, all that were cached before are forgotten.
    std::size_t cache_bytes = std::size_t{16} << 20U;
    // Rows that wait, of all documents. No server answers so many in the time that anybody waits.
    std::size_t max_waiting = std::size_t{1} << 20U;
    // The text that may be in rows not finished yet, of all documents.
    std::size_t max_text = std::size_t{256} << 20U;
  };

  // `sender` and `timers` outlive the scheduler, which outlives its collectors.
  HoverScheduler(lsp::RequestSender& sender, io::Timers& timers, Options options);
  HoverScheduler(const HoverScheduler&) = delete;
  HoverScheduler& operator=(const HoverScheduler&) = delete;

  // The workspace changed: empties the cache, and what is in flight answers its present waiters only. To be
  // called once the change has been sent to the server, so that all later requests come after it.
  void invalidate();
  // The document changed, and with it the workspace: the hovers of its rows that are still out are missing,
  // their requests are cancelled. Collectors that have all of theirs then are done before this returns.
  void drop(std::string_view uri);
  // A hover that is sent, is in flight or arrives while the server is loading is never cached.
  void set_loading(bool loading);

  std::size_t in_flight() const { return in_flight_.size(); }
  std::size_t queued() const { return queued_.size(); }  // not sent to the server yet

 private:
  friend class HoverCollector;

  enum class Outcome {
    answered,  // the server replied; the text may be empty
    nothing,   // it has no hover there, or its reply is of unknown shape
    refused,   // it answered with an error, or was not ready for too long
    dropped,
  };
  using Place = std::pair<std::string, lsp::Position>;  // with the uri
  struct Waiter {
    HoverCollector* collector;
    std::size_t row;
  };
  struct Request {
    Request(lsp::RequestSender& sender, io::Timers& timers, Place its_place)
        : place(std::move(its_place)), pending(sender, timers) {}

    Place place;
    std::list<Waiter> waiters{};
    bool is_sent = false;
    bool is_current = true;  // nothing has changed since it was sent: it may be joined, and cached
    PendingRequest pending;
  };
  using Requests = std::list<Request>;
  using Joined = std::pair<Requests::iterator, std::list<Waiter>::iterator>;
  using CacheKey = std::pair<Place, std::string>;  // the symbol's name changes what is made of a hover

  const table::HoverText* cached(const Place& place, const std::string& symbol_name) const;
  Joined join(const Place& place, Waiter waiter);
  void pump();
  void receive(Requests::iterator request, const lsp::Reply& reply);
  void outdate(Request& request);
  Requests take_out(Requests::iterator request);
  void remember(const Place& place, const std::string& symbol_name, const table::HoverText& text);
  void call_complete();

  lsp::RequestSender& sender_;
  io::Timers& timers_;
  Options options_;
  std::map<CacheKey, table::HoverText> cache_;
  std::size_t cached_bytes_ = 0;  // approximately
  Requests queued_;
  Requests in_flight_;
  std::map<Place, Requests::iterator> joinable_;  // the current ones of both
  std::list<HoverCollector*> complete_;           // that have not been called
  std::size_t waiting_ = 0;                       // waiters
  std::size_t text_ = 0;                          // bytes in rows that are not finished
  bool filling_ = true;                           // queued requests are sent at once
  bool loading_ = false;
};

// What is kept of each hover.
struct HoverForm {
  std::size_t characters = table::default_hover_characters;  // Unicode scalar values; 0 for no limit
  bool parts = false;  // also its two parts, each cut to as many characters
};

// A query (query_services.h). Fills the column HOVER_INFO of one document's rows with the hover at the start
// of each row's selection: from the cache at once, else from the server.
class HoverCollector {
 public:
  struct Counts {
    std::size_t given = 0;  // rows for which the server has a hover, though the row may show none of it
    std::size_t missing =
        0;  // whose hover did not arrive because the server refused it, the document changed
            // or take() was called, or is left out because of the scheduler's limits
    std::size_t refused = 0;  // of those that are missing
  };

  // `uri` names a document that the server has open, `rows` hold its symbols; signatures that are `written`
  // replace the server's. `done` is called from within a reply's handler or HoverScheduler::drop().
  HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows, HoverForm form,
                 std::function<void()> done, WrittenDeclarations written = {});
  ~HoverCollector() { cancel(); }
  HoverCollector(const HoverCollector&) = delete;
  HoverCollector& operator=(const HoverCollector&) = delete;

  bool is_complete() const { return awaited_.empty(); }
  // The rows with what has arrived; those whose hover is still out count as missing. Once.
  std::pair<table::SymbolRows, Counts> take();

  // For a progress line: rows whose hover has arrived (or will not), of how many.
  std::size_t hovers_done() const { return hovers_wanted() - awaited_.size(); }
  std::size_t hovers_wanted() const { return rows_.size(); }

 private:
  friend class HoverScheduler;

  void receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text);
  void fill(std::size_t row, const table::HoverText& whole);
  void cancel();

  HoverScheduler& scheduler_;
  std::string uri_;
  table::SymbolRows rows_;
  HoverForm form_;
  std::function<void()> done_;
  WrittenDeclarations written_;
  std::map<std::size_t, HoverScheduler::Joined> awaited_;  // by row
  Counts counts_;
  std::size_t text_ = 0;  // bytes of rows_, as the scheduler counts them
};

}  // namespace symbols::query
