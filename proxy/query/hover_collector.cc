#include "proxy/query/hover_collector.h"

#include <algorithm>
#include <utility>

#include "table/one_line.h"
#include "table/signature_text.h"

namespace symbols::query {

HoverCollector::HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows,
                               HoverForm form, Done done, WrittenDeclarations written)
    : scheduler_(scheduler),
      uri_(std::move(uri)),
      rows_(std::move(rows)),
      form_(form),
      done_(std::move(done)),
      written_(std::move(written)),
      tickets_(rows_.size()),
      out_(tickets_.size()) {
  rows_.with_hover = true;
}

HoverCollector::~HoverCollector() {
  if (!done_) return;
  scheduler_.cancel(tickets_);
  scheduler_.give_text_back(text_);
}

void HoverCollector::start() {
  for (std::size_t row = 0; row < tickets_.size(); ++row) {
    const table::Row& symbol = rows_.all[row];
    const lsp::Position position = symbol.selection_range.start;
    if (const table::HoverText* text = scheduler_.cached(uri_, position, symbol.name)) {
      ++counts_.given;
      fill(row, *text);
      --out_;
      continue;
    }
    tickets_[row] =
        scheduler_.ask(uri_, position, symbol.name,
                       [this, row](HoverScheduler::Outcome outcome, const table::HoverText& text) {
                         receive(row, outcome, text);
                       });
    if (!tickets_[row]) {
      --out_;
      ++counts_.missing;
    }
  }
  if (out_ == 0) finish();
}

void HoverCollector::receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text) {
  tickets_[row] = {};
  --out_;
  if (outcome == HoverScheduler::Outcome::answered) ++counts_.given;
  if (outcome == HoverScheduler::Outcome::dropped || outcome == HoverScheduler::Outcome::refused)
    ++counts_.missing;
  if (outcome == HoverScheduler::Outcome::refused) ++counts_.refused;
  fill(row, text);
  if (out_ == 0) finish();
}

void HoverCollector::fill(std::size_t row, const table::HoverText& whole) {
  table::Row& symbol = rows_.all[row];
  table::HoverText text = table::row_hover(symbol, whole);
  written_.replace_signature(text, symbol);
  std::string hover = table::join_hover(text, form_.characters);
  table::HoverText parts;
  if (form_.parts) {
    parts = {table::cut_signature(text.signature, form_.characters),
             table::cut_text(text.prose, form_.characters)};
  }
  const std::size_t size = hover.size() + parts.signature.size() + parts.prose.size();
  if (!scheduler_.reserve_text(size)) {
    ++counts_.missing;
    return;
  }
  text_ += size;
  symbol.hover = std::move(hover);
  symbol.hover_parts = std::move(parts);
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
  scheduler_.give_text_back(std::exchange(text_, 0));
  counts_.missing += out_;
  done(std::move(rows_), counts_);
}

}  // namespace symbols::query
