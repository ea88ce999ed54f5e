#include "proxy/query/symbol_collector.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "table/escape.h"

namespace symbols::query {

std::shared_ptr<SymbolCollector> SymbolCollector::create(lsp::RequestSender& sender, HoverPool& hovers,
                                                         relay::Later later, std::string uri,
                                                         std::shared_ptr<const std::string> text,
                                                         CollectOptions options,
                                                         std::function<void(Collected)> done) {
  return std::shared_ptr<SymbolCollector>(new SymbolCollector(
      sender, hovers, std::move(later), std::move(uri), std::move(text), options, std::move(done)));
}

SymbolCollector::SymbolCollector(lsp::RequestSender& sender, HoverPool& hovers, relay::Later later,
                                 std::string uri, std::shared_ptr<const std::string> text,
                                 CollectOptions options, std::function<void(Collected)> done)
    : sender_(sender),
      pool_(hovers),
      later_(std::move(later)),
      uri_(std::move(uri)),
      text_(std::move(text)),
      options_(options),
      done_(std::move(done)) {}

SymbolCollector::~SymbolCollector() {
  if (in_flight_) sender_.cancel(*in_flight_);
}

void SymbolCollector::start() {
  ask_symbols();
}

void SymbolCollector::ask_symbols() {
  attempts_.add();
  in_flight_ = sender_.request("textDocument/documentSymbol",
                               fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri_)),
                               [weak = weak_from_this()](const lsp::Reply& reply) {
                                 if (const auto self = weak.lock()) self->receive_symbols(reply);
                               });
}

void SymbolCollector::receive_symbols(const lsp::Reply& reply) {
  in_flight_.reset();
  if (!done_) return;
  if (const auto delay = attempts_.retry_delay(reply, options_.retry_symbols_for)) {
    ask_later(*delay);
    return;
  }
  if (reply.failed) {
    finish({.rows = {},
            .error = Error{fmt::format("the server refused documentSymbol: {} (error {})",
                                       table::quoted(reply.error.message), reply.error.code),
                           {}}});
    return;
  }
  Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(reply.result, *text_);
  if (!tree) {
    finish({.rows = {}, .error = tree.error()});
    return;
  }
  if (tree->symbols.empty() && ask_again_for_empty()) return;
  has_symbols_ = true;
  text_.reset();
  table::SymbolRows rows;
  rows.tree = std::move(*tree);
  rows = table::selected_rows(std::move(rows), options_.selection);
  if (options_.hovers) {
    collect_hovers(std::move(rows));
  } else {
    finish({.rows = std::move(rows), .error = {}});
  }
}

// Whether the empty reply may be that of a server that has not looked at the document yet.
bool SymbolCollector::ask_again_for_empty() {
  constexpr int max_empty_replies = 4;
  if (options_.believe_empty || ++empty_replies_ >= max_empty_replies ||
      text_->find_first_not_of(" \t\r\n") == std::string::npos) {
    return false;
  }
  ask_later(delay_after(empty_replies_));
  return true;
}

void SymbolCollector::ask_later(std::chrono::milliseconds delay) {
  later_(delay, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self && self->done_) self->ask_symbols();
  });
}

void SymbolCollector::collect_hovers(table::SymbolRows rows) {
  hovers_ = std::make_unique<HoverCollector>(
      pool_, uri_, std::move(rows), options_.hover_form,
      [this](table::SymbolRows with_hovers, std::size_t missing) {
        finish({.rows = std::move(with_hovers), .error = std::move(lost_), .hovers_missing = missing});
      });
  hovers_->start();
}

void SymbolCollector::stop(const Error& reason) {
  if (hovers_) {
    lost_ = reason;
    hovers_->stop();
  } else {
    finish({.rows = {}, .error = reason});
  }
}

void SymbolCollector::finish(Collected collected) {
  if (!done_) return;
  const auto done = std::exchange(done_, {});
  done(std::move(collected));
}

}  // namespace symbols::query
