// What a server has to say against one document: asked for where it answers that, else what it publishes.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "lsp/reply.h"
#include "proxy/query/pending_request.h"
#include "proxy/query/query_services.h"
#include "proxy/query/timer.h"
#include "table/diagnostics_text.h"

namespace symbols::query {

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
//
// A server that offers textDocument/diagnostic is asked at once. Of another one the list counts that it has
// published since it was told of the document; as servers publish it while they work on the symbols, before
// or just after these, it is waited for after them and not long. Nothing in the protocol says that a server
// will publish anything.
class DiagnosticsQuery {
 public:
  using Done = std::function<void(table::Diagnostics)>;

  // How long a publication is waited for once the symbols are there.
  static constexpr std::chrono::milliseconds publication_limit{2000};

  // `limit`: how long, once the symbols are there, an answer or a publication is waited for. `done` gets a
  // list or the reason why there is none, once, from within any call or a reply's handler, and may destroy
  // the query.
  DiagnosticsQuery(QueryServices services, std::string uri, std::chrono::milliseconds limit, Done done);

  void start();
  void symbols_are_there();
  // The server is lost or the answer is wanted now: `done` gets what has come, or `reason`.
  void stop(const std::string& reason);

 private:
  void receive(const lsp::Reply& reply);
  void look_at_published();
  void take_published(std::string failure);
  void finish(table::Diagnostics diagnostics);

  QueryServices services_;
  std::string uri_;
  std::chrono::milliseconds limit_;
  Done done_;
  PendingRequest request_;
  Timer timer_;                          // for the answer, or until the next look at what was published
  std::chrono::milliseconds waited_{0};  // for a publication
  bool symbols_are_there_ = false;
};

}  // namespace symbols::query
