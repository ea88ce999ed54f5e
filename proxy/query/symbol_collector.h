// Asks a server for one document's symbols, and has a hover collected for each of them: what `symbols FILE`
// needs of a document.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "lsp/reply.h"
#include "proxy/query/attempts.h"
#include "proxy/query/hover_collector.h"
#include "proxy/query/hover_pool.h"
#include "proxy/relay/later.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::query {

struct CollectOptions {
  table::Selection selection{};  // which symbols become rows; only these are asked for a hover
  bool hovers = true;
  // How long a server may go on to answer that it is not ready, and be asked again for the symbols.
  std::chrono::milliseconds retry_symbols_for{120'000};
  HoverForm hover_form{};
  bool believe_empty = true;  // else "no symbols" for a text that is not blank is asked again a few times
};

// What became of it. Where the symbols came but the server was lost during the hovers, both members are set.
struct Collected {
  std::optional<table::SymbolRows> rows;
  std::optional<Error> error;
  std::size_t hovers_missing = 0;  // rows whose hover was still out when the server was lost
};

// One collection. Created with create(), kept by its owner until `done` was called or it is no longer wanted:
// destroying it cancels what is in flight. Single-threaded.
class SymbolCollector : public std::enable_shared_from_this<SymbolCollector> {
 public:
  // `uri` is that of a document the server has open, `text` what it was opened with (not null; empty if
  // unknown): let go of once the symbols are there. `sender` and `hovers`, a pool of the same server, must
  // outlive the collector. `done` is called once, from within a reply's handler or from stop().
  static std::shared_ptr<SymbolCollector> create(lsp::RequestSender& sender, HoverPool& hovers,
                                                 relay::Later later, std::string uri,
                                                 std::shared_ptr<const std::string> text,
                                                 CollectOptions options, std::function<void(Collected)> done);
  ~SymbolCollector();

  void start();
  // The server is lost: `done` gets what has come, and `reason`.
  void stop(const Error& reason);

  // For a progress line: rows whose hover has come, of how many; 0 of 0 before the symbols are there.
  std::size_t hovers_done() const { return hovers_ ? hovers_->hovers_done() : 0; }
  std::size_t hovers_wanted() const { return hovers_ ? hovers_->hovers_wanted() : 0; }
  bool has_symbols() const { return has_symbols_; }

 private:
  SymbolCollector(lsp::RequestSender& sender, HoverPool& hovers, relay::Later later, std::string uri,
                  std::shared_ptr<const std::string> text, CollectOptions options,
                  std::function<void(Collected)> done);

  void ask_symbols();
  void receive_symbols(const lsp::Reply& reply);
  bool ask_again_for_empty();
  void ask_later(std::chrono::milliseconds delay);
  void collect_hovers(table::SymbolRows rows);
  void finish(Collected collected);

  lsp::RequestSender& sender_;
  HoverPool& pool_;
  relay::Later later_;
  std::string uri_;
  std::shared_ptr<const std::string> text_;
  CollectOptions options_;
  std::function<void(Collected)> done_;

  Attempts attempts_;
  int empty_replies_ = 0;
  std::optional<lsp::RequestNumber> in_flight_;  // the request for the symbols
  bool has_symbols_ = false;
  std::unique_ptr<HoverCollector> hovers_;  // once the symbols have come, where hovers are wanted
  std::optional<Error> lost_;               // why stop() was called
};

}  // namespace symbols::query
