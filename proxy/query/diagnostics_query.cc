#include "proxy/query/diagnostics_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"
#include "proxy/query/refusal.h"

namespace symbols::query {
namespace {

using std::chrono::milliseconds;

// Looked for at this interval, so that nobody has to know who waits.
constexpr milliseconds look_interval{20};
// How long a server that answers that it is not ready is asked again.
constexpr milliseconds retry_limit{10'000};

}  // namespace

std::shared_ptr<DiagnosticsQuery> DiagnosticsQuery::create(QueryServices services, std::string uri,
                                                           std::optional<milliseconds> limit, Done done) {
  return std::shared_ptr<DiagnosticsQuery>(
      new DiagnosticsQuery(std::move(services), std::move(uri), limit, std::move(done)));
}

DiagnosticsQuery::DiagnosticsQuery(QueryServices services, std::string uri, std::optional<milliseconds> limit,
                                   Done done)
    : services_(std::move(services)), uri_(std::move(uri)), limit_(limit), done_(std::move(done)) {}

DiagnosticsQuery::~DiagnosticsQuery() {
  if (in_flight_) services_.server.cancel(*in_flight_);
}

void DiagnosticsQuery::start() {
  if (services_.providers.diagnostics) ask();
}

void DiagnosticsQuery::ask() {
  attempts_.add();
  in_flight_ = services_.server.request(
      "textDocument/diagnostic", fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri_)),
      [weak = weak_from_this()](const lsp::Reply& reply) {
        if (const auto self = weak.lock()) self->receive(reply);
      });
}

void DiagnosticsQuery::receive(const lsp::Reply& reply) {
  in_flight_.reset();
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (!reply.failed) {
    if (services_.count) services_.count(raw);
    Result<lsp::DiagnosticList> list = lsp::decode_diagnostic_report(raw);
    if (list) {
      finish({.value = std::move(*list)});
    } else {
      take_published(list.error().message);
    }
    return;
  }
  if (const auto delay = attempts_.retry_delay(reply, limit_.value_or(retry_limit))) {
    services_.later(*delay, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->done_) self->ask();
    });
    return;
  }
  take_published(refusal_text(reply));
}

void DiagnosticsQuery::symbols_are_there() {
  if (!done_ || std::exchange(symbols_are_there_, true)) return;
  if (!services_.providers.diagnostics) {
    look_at_published();
  } else if (limit_) {
    services_.later(*limit_, [weak = weak_from_this(), limit = *limit_] {
      if (const auto self = weak.lock()) self->stop(fmt::format("not answered within {} ms", limit.count()));
    });
  }
}

void DiagnosticsQuery::look_at_published() {
  if (!done_) return;
  const milliseconds limit = std::min(limit_.value_or(publication_limit), publication_limit);
  const bool awaited = services_.published != nullptr && services_.published->last(uri_).awaited;
  if (awaited && waited_ < limit) {
    const milliseconds delay = std::min(look_interval, limit - waited_);
    waited_ += delay;
    services_.later(delay, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->look_at_published();
    });
    return;
  }
  if (awaited) services_.published->waited_in_vain(uri_);
  take_published({});
}

// `failure` is why there is nothing better.
void DiagnosticsQuery::take_published(std::string failure) {
  const Result<std::string_view> published =
      services_.published ? services_.published->last(uri_).list : Error{"the server has published none", {}};
  Result<lsp::DiagnosticList> list = published ? lsp::decode_diagnostics(*published) : published.error();
  if (list) {
    finish({.value = std::move(*list)});
  } else {
    finish({.value = {}, .failure = failure.empty() ? list.error().message : std::move(failure)});
  }
}

void DiagnosticsQuery::stop(const std::string& reason) {
  if (!done_) return;
  if (in_flight_) services_.server.cancel(*std::exchange(in_flight_, {}));
  take_published(services_.providers.diagnostics ? reason : std::string());
}

void DiagnosticsQuery::finish(table::Diagnostics diagnostics) {
  if (const Done done = std::exchange(done_, {})) done(std::move(diagnostics));
}

}  // namespace symbols::query
