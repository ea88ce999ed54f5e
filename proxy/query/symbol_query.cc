#include "proxy/query/symbol_query.h"

#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/json_ascii.h"
#include "lsp/json/json_edit.h"

namespace symbols::query {
namespace {

// Whether the result is a SymbolInformation[], which has a location where a DocumentSymbol has its ranges.
bool is_flat(std::string_view result) {
  const std::optional<std::string_view> first = lsp::first_element(result);
  return !first || lsp::member_value(*first, "location").has_value();
}

}  // namespace

std::shared_ptr<SymbolQuery> SymbolQuery::create(QueryServices services, std::string params,
                                                 options::AnswerOptions options, SymbolAnswerStyle style,
                                                 Done done) {
  return std::shared_ptr<SymbolQuery>(
      new SymbolQuery(std::move(services), std::move(params), options, std::move(style), std::move(done)));
}

SymbolQuery::SymbolQuery(QueryServices services, std::string params, options::AnswerOptions options,
                         SymbolAnswerStyle style, Done done)
    : services_(std::move(services)),
      params_(std::move(params)),
      options_(options),
      style_(std::move(style)),
      done_(std::move(done)) {}

SymbolQuery::~SymbolQuery() {
  if (in_flight_) services_.server.cancel(*in_flight_);
}

void SymbolQuery::start() {
  in_flight_ = services_.server.request("textDocument/documentSymbol", params_,
                                        [weak = weak_from_this()](const lsp::Reply& reply) {
                                          if (const auto self = weak.lock()) self->receive(reply);
                                        });
  ask_for_diagnostics();
}

void SymbolQuery::ask_for_diagnostics() {
  const std::size_t most = options_.most_diagnostics();
  if (most == 0 || !options_.is_text()) return;  // LSP's own form has no place for them
  diagnosing_ = DiagnosticsQuery::create(services_, style_.uri, options_.hover_timeout(),
                                         [weak = weak_from_this(), most](table::Diagnostics diagnostics) {
                                           const auto self = weak.lock();
                                           if (!self) return;
                                           if (diagnostics.value)
                                             table::keep_diagnostics(*diagnostics.value, most);
                                           self->diagnostics_ = std::move(diagnostics);
                                           self->diagnosing_.reset();
                                           self->finish_if_complete();
                                         });
  diagnosing_->start();
}

void SymbolQuery::receive(const lsp::Reply& reply) {
  in_flight_.reset();
  // Decoding tells whether it is whole: but for --stats a large reply is gone through once.
  std::optional<Error> fault;
  if (!reply.failed && options_.is_text()) {
    Result<lsp::SymbolTree> tree = decode(reply.result);
    if (tree) {
      if (services_.count) services_.count(lsp::whole_json_value(reply.result));
      return answer_with(std::move(*tree));
    }
    fault = tree.error();
  }
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (raw.empty()) {
    answer(Answer::error(lsp::error_code::internal_error,
                         "the server's reply to documentSymbol is cut; see the server's log"));
    return;
  }
  if (reply.failed) {
    std::string storage;
    answer({true, std::string(lsp::ascii_json(raw, storage))});
    return;
  }
  if (services_.count) services_.count(raw);
  // What nobody asked to have changed stays as the server wrote it.
  if (!options_.is_text() && (options_.changes_rows() || (style_.flat && !is_flat(raw)))) {
    Result<lsp::SymbolTree> tree = decode(raw);
    if (tree) return answer_with(std::move(*tree));
    fault = tree.error();
  }
  if (fault) services_.warn("a documentSymbol reply of the server is passed on as it is: " + fault->message);
  answer({false, std::string(raw)});
}

Result<lsp::SymbolTree> SymbolQuery::decode(std::string_view result) const {
  const std::shared_ptr<const std::string> text = services_.text(style_.uri);
  return lsp::decode_document_symbols(result, text ? std::string_view(*text) : std::string_view());
}

void SymbolQuery::answer_with(lsp::SymbolTree tree) {
  if (tree.symbols.empty() && style_.unknown && options_.is_text()) {
    answer(Answer::error(lsp::error_code::request_failed,
                         "there is no such file, and the client has not opened it: " + style_.uri));
    return;
  }
  if (const auto diagnosing = diagnosing_) diagnosing->symbols_are_there();
  table::SymbolRows rows;
  rows.tree = std::move(tree);
  rows = table::selected_rows(std::move(rows), options_.proxy_selection());
  if (options_.wants_hovers()) {
    rows.with_hover = true;
    rows.hovers.resize(rows.tree.symbols.size());
  }
  if (wants_hovers()) {
    collect(std::move(rows));
  } else {
    finish(std::move(rows), 0);
  }
}

void SymbolQuery::collect(table::SymbolRows rows) {
  services_.later(options_.hover_timeout(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->stop_collecting();
  });
  const auto self = shared_from_this();  // `done` may let go of this
  collector_.emplace(
      services_.hovers, style_.uri, std::move(rows),
      HoverForm{.characters = options_.row_hover_chars(), .parts = options_.wants_hover_parts()},
      [this](table::SymbolRows filled, std::size_t missing) { finish(std::move(filled), missing); });
  collector_->start();
}

void SymbolQuery::stop_collecting() {
  const auto self = shared_from_this();
  if (in_flight_) return;
  if (const auto diagnosing = diagnosing_) diagnosing->stop("not answered in time");
  if (collector_) collector_->stop();
}

void SymbolQuery::finish(table::SymbolRows rows, std::size_t hovers_missing) {
  rows_ = std::move(rows);
  hovers_missing_ = hovers_missing;
  finish_if_complete();
}

void SymbolQuery::finish_if_complete() {
  if (!rows_ || diagnosing_) return;
  const std::shared_ptr<const std::string> text =
      options_.carrier == options::Carrier::symbol ? services_.text(style_.uri) : nullptr;
  answer(
      {false, write_symbol_answer(*rows_, options_, style_,
                                  {.hovers_missing = hovers_missing_,
                                   .diagnostics = std::move(diagnostics_),
                                   .document_text = text ? std::string_view(*text) : std::string_view()})});
}

void SymbolQuery::answer(Answer answer) {
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
}

}  // namespace symbols::query
