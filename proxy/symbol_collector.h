// Asks a server for one document's symbols and then for a hover at each of them: what both `symbols FILE` and
// the proxy need.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/reply.h"
#include "lsp/result.h"
#include "table/rows.h"

namespace symbols::proxy {

struct CollectOptions {
  table::Levels levels{};  // which symbols become rows; only these are asked for a hover
  bool hovers = true;
  // How long a server may go on to answer that it is not ready, and be asked again.
  std::chrono::milliseconds retry_symbols_for{120'000};
  std::chrono::milliseconds retry_hover_for{10'000};
  std::size_t hover_chars = 200;  // of one hover's text, Unicode scalar values; 0 for no limit
  // TypeScript 7 answers 2,000 hovers a sixth faster when it has them all than when it has 32 to 512 at a
  // time.
  std::size_t hovers_in_flight = 4096;
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
  // Runs an action after a delay, unless the program ends first.
  using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

  // `uri` is that of a document the server has open, `text` what it was opened with (may be empty if
  // unknown). `sender` must outlive the collector. `done` is called once, from within a reply's handler or
  // from stop().
  static std::shared_ptr<SymbolCollector> create(lsp::RequestSender& sender, Later later, std::string uri,
                                                 std::string text, CollectOptions options,
                                                 std::function<void(Collected)> done);
  ~SymbolCollector();

  void start();
  // The server is lost: `done` gets what has come, and `reason`.
  void stop(const Error& reason);

  // For a progress line: rows whose hover has come, of how many; 0 of 0 before the symbols are there.
  std::size_t hovers_done() const { return positions_done_; }
  std::size_t hovers_wanted() const { return positions_.size(); }
  bool has_symbols() const { return rows_.has_value(); }

 private:
  SymbolCollector(lsp::RequestSender& sender, Later later, std::string uri, std::string text,
                  CollectOptions options, std::function<void(Collected)> done);

  using Clock = std::chrono::steady_clock;

  struct Attempts {
    int count = 0;
    Clock::time_point first;

    void add() {
      if (count++ == 0) first = Clock::now();
    }
  };

  // Rows that are named at one place share one hover (a macro that opens three namespaces).
  struct Position {
    lsp::Position at;
    std::vector<std::uint32_t> rows;
    Attempts attempts{};
    bool answered = false;
  };

  void ask_symbols();
  void receive_symbols(const lsp::Reply& reply);
  bool ask_again_for_empty();
  void list_positions();
  void ask_hovers();
  void ask_hover(std::size_t position);
  void receive_hover(std::size_t position, const lsp::Reply& reply);
  // Sees to asking again, where the reply wants that and the first attempt is not longer ago than `limit`.
  bool retry_later(const lsp::Reply& reply, const Attempts& attempts, std::chrono::milliseconds limit,
                   std::function<void()> again);
  void ask_later(std::chrono::milliseconds delay, std::function<void()> ask);
  void finish(std::optional<Error> error, std::size_t missing);

  lsp::RequestSender& sender_;
  Later later_;
  std::string uri_;  // as JSON text
  std::string text_;
  CollectOptions options_;
  std::function<void(Collected)> done_;

  Attempts symbol_attempts_;
  int empty_replies_ = 0;
  std::optional<table::SymbolRows> rows_;
  std::vector<Position> positions_;
  std::size_t next_position_ = 0;
  std::size_t positions_done_ = 0;
  std::map<std::size_t, lsp::RequestNumber> in_flight_;  // by position
  std::optional<lsp::RequestNumber> symbols_in_flight_;
};

}  // namespace symbols::proxy
