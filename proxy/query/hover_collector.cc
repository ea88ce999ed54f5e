#include "proxy/query/hover_collector.h"

#include <algorithm>
#include <utility>

#include "table/hover/cut_text.h"
#include "table/hover/hover_text.h"

namespace symbols::query {

HoverCollector::HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows,
                               HoverForm form, Done done)
    : scheduler_(scheduler),
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
  if (done_) scheduler_.cancel(tickets_);
}

void HoverCollector::start() {
  for (std::size_t row = 0; row < tickets_.size(); ++row) {
    const lsp::DocumentSymbol& symbol = rows_.tree.symbols[row];
    const lsp::Position position = symbol.selection_range.start;
    if (const table::HoverText* text = scheduler_.cached(uri_, position, symbol.name)) {
      fill(row, *text);
      --out_;
      continue;
    }
    tickets_[row] =
        scheduler_.ask(uri_, position, symbol.name,
                       [this, row](HoverScheduler::Outcome outcome, const table::HoverText& text) {
                         receive(row, outcome, text);
                       });
  }
  if (out_ == 0) finish();
}

void HoverCollector::receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text) {
  tickets_[row] = {};
  --out_;
  if (outcome == HoverScheduler::Outcome::dropped) ++dropped_;
  fill(row, text);
  if (out_ == 0) finish();
}

void HoverCollector::fill(std::size_t row, const table::HoverText& text) {
  rows_.hovers[row] = table::join_hover(text, form_.characters);
  if (!form_.parts) return;
  rows_.hover_parts[row] = {table::cut_signature(text.signature, form_.characters),
                            table::cut_text(text.prose, form_.characters)};
}

void HoverCollector::stop() {
  if (!done_) return;
  scheduler_.cancel(tickets_);
  std::ranges::fill(tickets_, HoverScheduler::Ticket{});
  finish();
}

// A row whose hover is still awaited counts as missing.
void HoverCollector::finish() {
  const Done done = std::exchange(done_, {});
  done(std::move(rows_), dropped_ + out_);
}

}  // namespace symbols::query
