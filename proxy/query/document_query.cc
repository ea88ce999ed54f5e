#include "proxy/query/document_query.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "table/formats/format.h"
#include "table/one_line.h"

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

DocumentQuery::DocumentQuery(QueryServices services, DocumentQuestion question, Done done, OnReply on_reply)
    : services_(std::move(services)),
      question_(std::move(question)),
      done_(std::move(done)),
      on_reply_(std::move(on_reply)),
      fetch_(services_.server, services_.timers, services_.text, services_.published),
      hover_timer_(services_.timers) {}

void DocumentQuery::start() {
  fetch_.start(question_.uri, question_.params, question_.retry,
               [this](SymbolReply& reply) { receive(reply); });
  const bool pulls_errors = question_.pulls_errors && question_.hovers && services_.capabilities.diagnostics;
  if (question_.diagnostics == 0 && !pulls_errors) return;
  diagnosing_ = std::make_unique<DiagnosticsQuery>(
      services_, question_.uri, question_.diagnostics_limit, [this](table::Diagnostics diagnostics) {
        if (diagnostics.value) {
          outcome_.source_errors = source_errors(diagnostics.value->first);
          table::keep_diagnostics(*diagnostics.value, question_.diagnostics);
        }
        if (question_.diagnostics > 0) outcome_.diagnostics = std::move(diagnostics);
        diagnosing_.reset();
        finish_if_complete();
      });
  diagnosing_->start();
}

void DocumentQuery::receive(SymbolReply& reply) {
  if (const OnReply on_reply = std::exchange(on_reply_, {}); on_reply && on_reply(reply)) return;
  if (!reply.tree()) return stop(reply.tree().error());
  has_symbols_ = true;
  if (diagnosing_) diagnosing_->symbols_are_there();
  table::SymbolRows rows = std::move(*reply.tree());
  const bool is_empty = rows.all.empty();
  const std::shared_ptr<const std::string> text =
      is_empty || question_.selection.fold ? services_.text(question_.uri) : nullptr;
  if (!is_empty) {
    outcome_.found = DocumentOutcome::Found::some;
  } else if (text && !trim(*text).empty()) {
    outcome_.found = DocumentOutcome::Found::none;
  }
  const bool enough = question_.details_will_do && table::details_hold_signatures(rows);
  if (enough) question_.hovers = false;
  rows = table::select(std::move(rows), question_.selection,
                       text ? std::string_view(*text) : std::string_view());
  WrittenDeclarations written(services_, question_.uri);
  for (table::Row& row : rows.all) written.replace_detail(row);
  if (question_.hovers && services_.capabilities.hover) {
    collect(std::move(rows), std::move(written));
    return;
  }
  rows.with_hover = question_.hovers;
  outcome_.rows = std::move(rows);
  complete_ = true;
  finish_if_complete();
}

void DocumentQuery::collect(table::SymbolRows rows, WrittenDeclarations written) {
  if (question_.hover_limit) hover_timer_.start(*question_.hover_limit, [this] { finish_now(); });
  collector_.emplace(
      services_.hovers, question_.uri, std::move(rows), question_.hover_form,
      [this](table::SymbolRows filled, HoverCollector::Counts counts) {
        outcome_.rows = std::move(filled);
        outcome_.hovers = counts;
        complete_ = true;
        finish_if_complete();
      },
      std::move(written));
  collector_->start();
}

void DocumentQuery::finish_now() {
  if (has_symbols_) stop_waiting("not answered in time");
}

void DocumentQuery::stop(const Error& reason) {
  outcome_.error = reason;
  if (!has_symbols_) complete_ = true;
  stop_waiting(reason.message);
}

// Each of these calls may finish the query, and the last one that is awaited does, which may destroy it.
void DocumentQuery::stop_waiting(const std::string& reason) {
  const bool hovers_out = !complete_;
  if (diagnosing_) {
    diagnosing_->stop(reason);
    if (!hovers_out) return;
  }
  if (hovers_out) {
    collector_->stop();
  } else {
    finish_if_complete();
  }
}

void DocumentQuery::finish_if_complete() {
  if (!complete_ || diagnosing_) return;
  if (!outcome_.source_errors)
    outcome_.source_errors = source_errors(published_errors(services_.published, question_.uri));
  if (const Done done = std::exchange(done_, {})) done(std::move(outcome_));
}

}  // namespace symbols::query
