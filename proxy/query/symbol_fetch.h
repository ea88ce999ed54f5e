// The symbols of one document, asked for: the only place that sends textDocument/documentSymbol. How patient
// to be with a server that is loading is the caller's to say; hover_symbols.h is the same for those who can
// share.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/reply.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/timer.h"

namespace symbols::query {

// The text of a document as the server knows it (valid UTF-8), or null where it is not known.
using Texts = std::function<std::shared_ptr<const std::string>(std::string_view uri)>;

struct SymbolRetry {
  // How long a server that answers that it is not ready is asked again; 0: that answer stands.
  std::chrono::milliseconds not_ready_for{0};
  // "No symbols" for a text that is not blank is asked again a few times: the server may not have looked at
  // the document yet. As long as it may still publish diagnostics of it, which servers do once they have, for
  // up to 10 s (not_ready_for, if that is shorter): vim-language-server reads a document in a process of its
  // own, which takes as long as the machine is loaded.
  bool doubt_empty = false;
};

// What the server has answered. Valid while the handler that gets it runs.
class SymbolReply {
 public:
  // `texts` tells where the names in a flat reply stand; without it their selections are not known.
  SymbolReply(const lsp::Reply& reply, std::string_view uri, const Texts& texts)
      : reply_(reply), uri_(uri), texts_(texts) {}

  const lsp::Reply& raw() const { return reply_; }
  // The symbols; decoded at the first call. Error: the server refused, or its reply has no known shape.
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

  // Asks for the symbols of a document that the server has open. `params`: of the request, raw JSON, where it
  // has more than the document; else empty. `handler` is called once, from within a reply's handler, unless
  // this is destroyed before, which cancels what is out; it may destroy this.
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
  bool asked_early_ = false;  // before the server had published what it thinks of the document
  std::chrono::milliseconds doubted_for_{0};
  PendingRequest request_;
  Timer doubt_timer_;
};

}  // namespace symbols::query
