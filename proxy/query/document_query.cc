#include "proxy/query/document_query.h"

#include <utility>

#include "base/text.h"
#include "table/signature_text.h"

namespace symbols::query {

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
  if (!reply.tree()) {
    stop(reply.tree().error());
    return;
  }
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
