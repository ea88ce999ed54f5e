#include "proxy/query/diagnostics_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::query {
namespace {

// What is published is polled at this interval, so that it need not be announced to waiting queries.
constexpr milliseconds look_interval{20};

}  // namespace

DiagnosticsQuery::DiagnosticsQuery(QueryServices services, std::string uri, milliseconds limit,
                                   std::function<void()> done)
    : services_(std::move(services)),
      uri_(std::move(uri)),
      limit_(limit),
      done_(std::move(done)),
      request_(services_.server, services_.timers),
      timer_(services_.timers),
      is_fresh_(!services_.is_files_text || services_.published.last(uri_).awaited) {
  if (services_.capabilities.diagnostics) request();
}

void DiagnosticsQuery::request() {
  request_.send(
      "textDocument/diagnostic", document_params(uri_), [this](const lsp::Reply& reply) { receive(reply); },
      limit_);
}

void DiagnosticsQuery::receive(const lsp::Reply& reply) {
  if (reply.failed) {
    take_published(refusal_text(reply));
  } else {
    const std::string_view raw = lsp::whole_json_value(reply.result);
    if (services_.count) services_.count(raw);
    if (Result<lsp::DiagnosticList> list = lsp::decode_diagnostic_report(raw)) {
      set({.value = std::move(*list)});
    } else {
      take_published(list.error().message);
    }
  }
  std::function{done_}();  // a copy, as it may destroy this
}

void DiagnosticsQuery::symbols_are_there() {
  if (result_) return;
  if (!services_.capabilities.diagnostics) return look_at_published();
  if (!request_.is_out()) request();
  timer_.start(limit_, [this] {
    take_published(fmt::format("not answered within {} ms", limit_.count()));
    std::function{done_}();
  });
}

void DiagnosticsQuery::look_at_published() {
  const bool awaited = services_.published.last(uri_, services_.is_files_text).awaited;
  // gopls first publishes what it finds in the files, and nothing more where it finds the same in the texts.
  const bool knows_texts = services_.is_files_text || services_.published.has_versioned();
  if (knows_texts && !std::exchange(knew_texts_, true)) waited_ = milliseconds(0);
  milliseconds limit = knows_texts ? publication_limit : limit_;
  if (!awaited) {
    if (!published_after_) published_after_ = waited_;
    const Result<lsp::DiagnosticList> list = is_fresh_ ? published() : Error{};
    const bool may_grow = list && list->first.empty();
    limit = may_grow ? *published_after_ + empty_list_grace : milliseconds(0);
  }
  limit = std::min(limit, limit_);
  if (waited_ < limit) {
    const milliseconds delay = std::min(look_interval, limit - waited_);
    waited_ += delay;
    timer_.start(delay, [this] {
      look_at_published();
      if (result_) std::function{done_}();
    });
    return;
  }
  if (awaited) services_.published.waited_in_vain(uri_);
  services_.is_files_text = true;
  take_published({});
}

Result<lsp::DiagnosticList> DiagnosticsQuery::published() const {
  const Result<std::string_view> list = services_.published.last(uri_, services_.is_files_text).list;
  return list ? lsp::decode_diagnostics(*list) : list.error();
}

// `failure` says why there is nothing better; empty if there never was.
void DiagnosticsQuery::take_published(std::string failure) {
  Result<lsp::DiagnosticList> list = published();
  if (list) return set({.value = std::move(*list)});
  set({.value = {}, .failure = failure.empty() ? list.error().message : std::move(failure)});
}

void DiagnosticsQuery::set(table::Diagnostics result) {
  result_ = std::move(result);
  timer_.stop();
  request_.cancel();
}

table::Diagnostics DiagnosticsQuery::take(const std::string& reason) {
  if (!result_) take_published(services_.capabilities.diagnostics ? reason : std::string());
  return std::move(*result_);
}

}  // namespace symbols::query
