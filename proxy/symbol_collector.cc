#include "proxy/symbol_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lsp/document_symbol.h"
#include "lsp/hover.h"
#include "lsp/json.h"
#include "table/escape.h"
#include "table/hover_text.h"

namespace symbols::proxy {
namespace {

using std::chrono::milliseconds;

// A server that is still loading answers ContentModified or ServerCancelled and wants to be asked again. Each
// wait is twice the one before, up to two seconds.
milliseconds delay_before(int attempt) {
  return std::min(milliseconds(50 << std::min(attempt, 6)), milliseconds(2000));
}

bool wants_retry(const lsp::Reply& reply) {
  return reply.failed && (reply.error.code == lsp::error_code::content_modified ||
                          reply.error.code == lsp::error_code::server_cancelled);
}

}  // namespace

std::shared_ptr<SymbolCollector> SymbolCollector::create(lsp::RequestSender& sender, Later later,
                                                         std::string uri, std::string text,
                                                         CollectOptions options,
                                                         std::function<void(Collected)> done) {
  return std::shared_ptr<SymbolCollector>(new SymbolCollector(sender, std::move(later), std::move(uri),
                                                              std::move(text), options, std::move(done)));
}

SymbolCollector::SymbolCollector(lsp::RequestSender& sender, Later later, std::string uri, std::string text,
                                 CollectOptions options, std::function<void(Collected)> done)
    : sender_(sender),
      later_(std::move(later)),
      uri_(lsp::json_string(uri)),
      text_(std::move(text)),
      options_(options),
      done_(std::move(done)) {}

SymbolCollector::~SymbolCollector() {
  if (!done_) return;  // finished: nothing of it is in flight
  if (symbols_in_flight_) sender_.cancel(*symbols_in_flight_);
  for (const auto& [position, request] : in_flight_) sender_.cancel(request);
}

void SymbolCollector::start() {
  ask_symbols();
}

void SymbolCollector::ask_symbols() {
  symbol_attempts_.add();
  symbols_in_flight_ =
      sender_.request("textDocument/documentSymbol", fmt::format(R"({{"textDocument":{{"uri":{}}}}})", uri_),
                      [weak = weak_from_this()](const lsp::Reply& reply) {
                        if (const auto self = weak.lock()) self->receive_symbols(reply);
                      });
}

void SymbolCollector::receive_symbols(const lsp::Reply& reply) {
  symbols_in_flight_.reset();
  if (retry_later(reply, symbol_attempts_, options_.retry_symbols_for, [this] { ask_symbols(); })) return;
  if (reply.failed) {
    finish(Error{fmt::format("the server refused documentSymbol: {} (error {})",
                             table::quoted(reply.error.message), reply.error.code),
                 {}},
           0);
    return;
  }
  Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(reply.result, text_);
  if (!tree) {
    finish(tree.error(), 0);
    return;
  }
  if (tree->symbols.empty() && ask_again_for_empty()) return;
  text_ = {};
  rows_.emplace();
  rows_->tree = table::limit_levels(std::move(*tree), options_.levels).tree;
  if (!options_.hovers) {
    finish({}, 0);
    return;
  }
  rows_->with_hover = true;
  rows_->hovers.resize(rows_->tree.symbols.size());
  list_positions();
  ask_hovers();
}

// Whether the empty reply may be that of a server that has not looked at the document yet.
bool SymbolCollector::ask_again_for_empty() {
  constexpr int max_empty_replies = 4;
  if (options_.believe_empty || ++empty_replies_ >= max_empty_replies ||
      text_.find_first_not_of(" \t\r\n") == std::string::npos) {
    return false;
  }
  ask_later(delay_before(empty_replies_), [this] { ask_symbols(); });
  return true;
}

void SymbolCollector::list_positions() {
  const std::vector<lsp::DocumentSymbol>& symbols = rows_->tree.symbols;
  std::map<lsp::Position, std::size_t> known;
  for (std::uint32_t row = 0; row < symbols.size(); ++row) {
    const lsp::Position at = symbols[row].selection_range.start;
    const auto [place, added] = known.emplace(at, positions_.size());
    if (added) positions_.push_back({.at = at, .rows = {}});
    positions_[place->second].rows.push_back(row);
  }
}

void SymbolCollector::ask_hovers() {
  // In batches: for each reply one request more would have server and client wake each other all the time.
  if (in_flight_.size() <= options_.hovers_in_flight / 2) {
    while (next_position_ < positions_.size() && in_flight_.size() < options_.hovers_in_flight) {
      ask_hover(next_position_++);
    }
  }
  if (positions_done_ == positions_.size()) finish({}, 0);
}

void SymbolCollector::ask_hover(std::size_t position) {
  positions_[position].attempts.add();
  const lsp::Position at = positions_[position].at;
  in_flight_[position] = sender_.request(
      "textDocument/hover",
      fmt::format(R"({{"textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}}}})", uri_, at.line,
                  at.character),
      [weak = weak_from_this(), position](const lsp::Reply& reply) {
        if (const auto self = weak.lock()) self->receive_hover(position, reply);
      });
}

void SymbolCollector::receive_hover(std::size_t position, const lsp::Reply& reply) {
  in_flight_.erase(position);
  if (retry_later(reply, positions_[position].attempts, options_.retry_hover_for,
                  [this, position] { ask_hover(position); }))
    return;
  // A failure costs this one cell; so does a hover of a shape that nobody knows.
  if (!reply.failed) {
    if (const Result<lsp::Hover> hover = lsp::decode_hover(reply.result)) {
      for (const std::uint32_t row : positions_[position].rows) {
        rows_->hovers[row] =
            table::flatten_hover(*hover, options_.hover_chars, rows_->tree.symbols[row].name);
      }
    }
  }
  positions_[position].answered = true;
  ++positions_done_;
  ask_hovers();
}

bool SymbolCollector::retry_later(const lsp::Reply& reply, const Attempts& attempts, milliseconds limit,
                                  std::function<void()> again) {
  if (!wants_retry(reply)) return false;
  const milliseconds delay = delay_before(attempts.count);
  if (Clock::now() + delay - attempts.first > limit) return false;
  ask_later(delay, std::move(again));
  return true;
}

void SymbolCollector::ask_later(milliseconds delay, std::function<void()> ask) {
  later_(delay, [weak = weak_from_this(), ask = std::move(ask)] {
    const auto self = weak.lock();
    if (self && self->done_) ask();
  });
}

void SymbolCollector::stop(const Error& reason) {
  std::size_t missing = 0;
  for (const Position& position : positions_) missing += position.answered ? 0 : position.rows.size();
  finish(reason, missing);
}

void SymbolCollector::finish(std::optional<Error> error, std::size_t missing) {
  if (!done_) return;
  const auto done = std::exchange(done_, {});
  done({std::move(rows_), std::move(error), missing});
}

}  // namespace symbols::proxy
