// What a server has to say against one document: asked for where it answers that, else what it publishes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lsp/reply.h"
#include "proxy/query/attempts.h"
#include "proxy/query/query_services.h"
#include "table/diagnostics_text.h"

namespace symbols::query {

// Kept by its owner until `done` was called or nobody wants the answer: destroying it cancels what it has
// asked for. Single-threaded.
//
// A server that offers textDocument/diagnostic is asked at once. Of another one the list counts that it has
// published since it was told of the document; as servers publish it while they work on the symbols, before
// or just after these, it is waited for after them and not long. Nothing in the protocol says that a server
// will publish anything.
class DiagnosticsQuery : public std::enable_shared_from_this<DiagnosticsQuery> {
 public:
  using Done = std::function<void(table::Diagnostics)>;

  // How long a publication is waited for once the symbols are there.
  static constexpr std::chrono::milliseconds publication_limit{2000};

  // `limit`: how long, once the symbols are there, an answer or a publication is waited for; absent where
  // somebody else watches over the server's silence. `done` gets a list or the reason why there is none,
  // once, from within any call or a reply's handler, and may destroy the query.
  static std::shared_ptr<DiagnosticsQuery> create(QueryServices services, std::string uri,
                                                  std::optional<std::chrono::milliseconds> limit, Done done);
  ~DiagnosticsQuery();

  void start();
  void symbols_are_there();
  // The server is lost or the answer is wanted now: `done` gets what has come, or `reason`.
  void stop(const std::string& reason);

 private:
  DiagnosticsQuery(QueryServices services, std::string uri, std::optional<std::chrono::milliseconds> limit,
                   Done done);

  void ask();
  void receive(const lsp::Reply& reply);
  void look_at_published();
  void take_published(std::string failure);
  void finish(table::Diagnostics diagnostics);

  QueryServices services_;
  std::string uri_;
  std::optional<std::chrono::milliseconds> limit_;
  Done done_;
  std::optional<lsp::RequestNumber> in_flight_;
  Attempts attempts_;
  std::chrono::milliseconds waited_{0};  // for a publication
  bool symbols_are_there_ = false;
};

}  // namespace symbols::query
