// Requests the symbols of one document: the only place that sends textDocument/documentSymbol. The caller
// says how long to retry while a server is loading.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/requests.h"
#include "proxy/query/pending_request.h"
#include "proxy/relay/timers.h"

namespace symbols::query {

// The text of a document as the server knows it (valid UTF-8), or null if it is not known.
using Texts = std::function<std::shared_ptr<const std::string>(std::string_view uri)>;

struct SymbolRetry {
  // How long to retry if the server answers that it is not ready; 0: that answer stands.
  std::chrono::milliseconds not_ready_for{0};
  // An empty reply for a text that is not blank is retried a few times: the server may not have looked at the
  // document yet. If the server may still publish diagnostics of it, a sign that it has looked, retries go on
  // for up to 10 s (or not_ready_for, if that is shorter): vim-language-server reads documents in a separate
  // process, which takes long on a loaded machine.
  bool doubt_empty = false;
};

// The server's reply. Valid while the handler that gets it runs.
class SymbolReply {
 public:
  // `texts` serves to find the names of a flat reply; without it their selections are not known.
  SymbolReply(const lsp::Reply& reply, std::string_view uri, const Texts& texts)
      : reply_(reply), uri_(uri), texts_(texts) {}

  const lsp::Reply& raw() const { return reply_; }
  // The symbols, decoded at the first call. Error: the server refused, or its reply has an unknown shape.
  Result<lsp::SymbolTree>& tree();

 private:
  const lsp::Reply& reply_;
  std::string_view uri_;
  const Texts& texts_;
  std::optional<Result<lsp::SymbolTree>> tree_;
};

// Single-threaded.
class SymbolFetch {
 public:
  using Handler = std::function<void(SymbolReply&)>;

  // `sender`, `timers` and `published` outlive it. `texts` may be empty, `published` null.
  SymbolFetch(lsp::RequestSender& sender, relay::Timers& timers, Texts texts,
              lsp::RecentDiagnostics* published = nullptr)
      : texts_(std::move(texts)), published_(published), request_(sender, timers), doubt_timer_(timers) {}

  // Requests the symbols of a document that the server has open. `params`: of the request, raw JSON, if it
  // has more members than the document; else empty. `handler` is called once, from within a reply's handler,
  // and may destroy this. Destroying this before cancels the request.
  void start(std::string_view uri, std::string_view params, SymbolRetry retry, Handler handler);
  bool is_out() const { return handler_ != nullptr; }

 private:
  void ask();
  void receive(const lsp::Reply& reply);
  bool is_doubtful(SymbolReply& reply);

  std::string uri_;
  std::string params_;
  Texts texts_;
  SymbolRetry retry_;
  Handler handler_;
  lsp::RecentDiagnostics* published_;
  int empty_replies_ = 0;
  bool asked_early_ = false;  // before the server had published diagnostics of the document
  std::chrono::milliseconds doubted_for_{0};
  PendingRequest request_;
  relay::Timer doubt_timer_;
};

// A cache of documents' symbols, to find which of them a hover is about: kept until something changes, one
// request for all that wait. Single-threaded. Handlers run from within a reply's handler, never from within a
// call to this.
class HoverSymbols {
 public:
  using Tree = std::shared_ptr<const lsp::SymbolTree>;  // null if the server failed
  using Handler = std::function<void(const Tree&)>;
  // Identifies one waiter; 0 is none.
  using Ticket = std::uint64_t;

  // `sender` and `timers` outlive this. `texts`: see SymbolReply.
  HoverSymbols(lsp::RequestSender& sender, relay::Timers& timers, Texts texts = {})
      : sender_(sender), timers_(timers), texts_(std::move(texts)) {}

  // The symbols of a document if they are cached, else null.
  Tree find(std::string_view uri);
  // Requests the symbols of a document that the server has open, or joins the request that is already out.
  // Returns 0, and does not call the handler, if too many documents are awaited.
  Ticket ask(std::string_view uri, Handler handler);
  // The handler is no longer called. A request without waiters is cancelled at the server.
  void cancel(Ticket ticket);
  // The handler is no longer called, but the symbols are still wanted for the next question.
  void stop_waiting(Ticket ticket) { (void)remove_waiter(ticket); }
  // The workspace changed.
  void invalidate();

 private:
  // Hovers stay in one document for a while, then move to another.
  static constexpr std::size_t max_documents = 8;
  // Bounds our memory with a server that answers none of them.
  static constexpr std::size_t max_in_flight = 64;

  struct Document {
    explicit Document(std::string_view its_uri, HoverSymbols& cache)
        : uri(its_uri), fetch(cache.sender_, cache.timers_, cache.texts_) {}

    std::string uri;
    Tree tree{};
    bool stale = false;  // requested before a change: given to the waiters, and not cached
    SymbolFetch fetch;
    std::vector<Ticket> waiting{};
  };
  using Documents = std::list<Document>;

  void receive(Documents::iterator document, SymbolReply& reply);
  // Returns the document for which it was waiting.
  Documents::iterator remove_waiter(Ticket ticket);
  void evict_least_used();

  lsp::RequestSender& sender_;
  relay::Timers& timers_;
  Texts texts_;
  Ticket last_ticket_ = 0;
  Documents documents_;  // the most recently used first
  std::unordered_map<Ticket, Handler> handlers_;
};

}  // namespace symbols::query
