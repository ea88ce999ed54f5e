#include "proxy/query/hover_collector.h"

#include <algorithm>
#include <utility>

#include "table/hover/hover_text.h"

namespace symbols::query {

HoverCollector::HoverCollector(HoverPool& pool, std::string uri, table::SymbolRows rows, HoverForm form,
                               Done done)
    : pool_(pool),
      uri_(std::move(uri)),
      rows_(std::move(rows)),
      form_(form),
      done_(std::move(done)),
      tickets_(rows_.tree.symbols.size()),
      out_(tickets_.size()) {
  rows_.with_hover = true;
  rows_.hovers.assign(tickets_.size(), {});
  if (form_.parts) rows_.hover_parts.assign(tickets_.size(), {});
}

HoverCollector::~HoverCollector() {
  if (done_) pool_.cancel(tickets_);
}

void HoverCollector::start() {
  for (std::size_t row = 0; row < tickets_.size(); ++row) {
    const lsp::DocumentSymbol& symbol = rows_.tree.symbols[row];
    const lsp::Position position = symbol.selection_range.start;
    if (const table::HoverText* text = pool_.remembered(uri_, position, symbol.name)) {
      fill(row, *text);
      --out_;
      continue;
    }
    tickets_[row] = pool_.ask(uri_, position, symbol.name,
                              [this, row](HoverPool::Outcome outcome, const table::HoverText& text) {
                                receive(row, outcome, text);
                              });
  }
  if (out_ == 0) finish();
}

void HoverCollector::receive(std::size_t row, HoverPool::Outcome outcome, const table::HoverText& text) {
  tickets_[row] = {};
  --out_;
  if (outcome == HoverPool::Outcome::dropped) ++dropped_;
  fill(row, text);
  if (out_ == 0) finish();
}

void HoverCollector::fill(std::size_t row, const table::HoverText& text) {
  rows_.hovers[row] = table::join_hover(text, form_.characters);
  if (!form_.parts) return;
  rows_.hover_parts[row] = {table::cut_text(text.signature, form_.characters),
                            table::cut_text(text.prose, form_.characters)};
}

void HoverCollector::stop() {
  if (!done_) return;
  pool_.cancel(tickets_);
  std::ranges::fill(tickets_, HoverPool::Ticket{});
  finish();
}

// A row whose hover is out when this is called is missing.
void HoverCollector::finish() {
  const Done done = std::exchange(done_, {});
  done(std::move(rows_), dropped_ + out_);
}

}  // namespace symbols::query
