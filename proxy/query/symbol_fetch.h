// Requests the symbols of one document: the only place that sends textDocument/documentSymbol. The caller
// says how long to retry while a server is loading.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "lsp/document_symbol.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/requests.h"
#include "proxy/io/timers.h"
#include "proxy/query/query_services.h"

namespace symbols::query {

struct SymbolRetry {
  // How long to retry if the server answers that it is not ready; 0: that answer stands.
  milliseconds not_ready_for{0};
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

// Destroying it cancels the request. Single-threaded.
class SymbolFetch {
 public:
  using Handler = std::function<void(SymbolReply&)>;

  // Requests the symbols of a document that the server has open. `params`: the request's, raw JSON, if it has
  // more than the document; else empty. `handler` is called once, from within a reply's handler, and may
  // destroy this. `sender`, `timers` and `published` outlive it. `texts` may be empty, `published` null.
  SymbolFetch(lsp::RequestSender& sender, io::Timers& timers, Texts texts, std::string uri, Handler handler,
              std::string params = {}, SymbolRetry retry = {}, lsp::RecentDiagnostics* published = nullptr);

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
  milliseconds doubted_for_{0};
  PendingRequest request_;
  io::Timer doubt_timer_;
};

}  // namespace symbols::query
