#include "proxy/query/context_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/hover.h"
#include "lsp/json/json.h"
#include "lsp/json/json_ascii.h"
#include "lsp/json/json_edit.h"
#include "proxy/query/context_symbol.h"
#include "proxy/query/refusal.h"
#include "table/hover/hover_text.h"

namespace symbols::query {
namespace {

template <class T, class Decode>
void take_part(table::ContextPart<T>& part, const lsp::Reply& reply, Decode decode) {
  if (reply.failed) {
    part.failure = refusal_text(reply);
    return;
  }
  Result<T> decoded = decode(lsp::whole_json_value(reply.result));
  if (decoded) {
    part.value = std::move(*decoded);
  } else {
    part.failure = decoded.error().message;
  }
}

}  // namespace

std::shared_ptr<ContextQuery> ContextQuery::create(QueryServices services, ContextQuestion question,
                                                   std::chrono::milliseconds limit, Done done) {
  return std::shared_ptr<ContextQuery>(
      new ContextQuery(std::move(services), std::move(question), limit, std::move(done)));
}

ContextQuery::ContextQuery(QueryServices services, ContextQuestion question, std::chrono::milliseconds limit,
                           Done done)
    : services_(std::move(services)), question_(std::move(question)), limit_(limit), done_(std::move(done)) {}

ContextQuery::~ContextQuery() {
  for (const auto& number : out_) {
    if (number) services_.server.cancel(*number);
  }
}

void ContextQuery::ask(Part part, std::string_view method, std::string_view params, Receiver receiver) {
  const auto index = static_cast<std::size_t>(part);
  out_[index] = services_.server.request(method, params,
                                         [weak = weak_from_this(), index, receiver](const lsp::Reply& reply) {
                                           const auto self = weak.lock();
                                           if (!self) return;
                                           self->out_[index].reset();
                                           if (!reply.failed && self->services_.count)
                                             self->services_.count(lsp::whole_json_value(reply.result));
                                           (self.get()->*receiver)(reply);
                                           self->finish_if_complete();
                                         });
}

void ContextQuery::start() {
  const std::string params =
      fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(question_.uri));
  ask(Part::symbols, "textDocument/documentSymbol", params, &ContextQuery::receive_symbols);
  ask_for_diagnostics();
}

void ContextQuery::start_with(const lsp::SymbolTree& tree) {
  const auto self = shared_from_this();  // `done` may let go of this
  ask_for_diagnostics();
  begin(tree);
  finish_if_complete();
}

void ContextQuery::ask_for_diagnostics() {
  if (question_.limits.diagnostics == 0) return;
  diagnosing_ = true;
  diagnostics_ = DiagnosticsQuery::create(services_, question_.uri, limit_,
                                          [weak = weak_from_this()](table::Diagnostics diagnostics) {
                                            const auto self = weak.lock();
                                            if (!self) return;
                                            self->diagnosing_ = false;
                                            self->context_.diagnostics = std::move(diagnostics);
                                            self->finish_if_complete();
                                          });
  diagnostics_->start();
}

void ContextQuery::receive_symbols(const lsp::Reply& reply) {
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (reply.failed) {
    std::string storage;
    fail({.reason = ContextFailure::Reason::refused, .detail = std::string(lsp::ascii_json(raw, storage))});
    return;
  }
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  const Result<lsp::SymbolTree> tree =
      lsp::decode_document_symbols(raw, text ? std::string_view(*text) : std::string_view());
  if (!tree) {
    fail({.reason = ContextFailure::Reason::unreadable, .detail = tree.error().message});
    return;
  }
  begin(*tree);
}

void ContextQuery::begin(const lsp::SymbolTree& tree) {
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  ContextSymbol found = find_context_symbol(tree, question_, text.get(), services_.encoding);
  if (found.failure) {
    fail(std::move(*found.failure));
    return;
  }
  table::set_context_rows(context_, tree, found.index, question_.levels, question_.limits.children);
  context_.search_limit = question_.search_limit;
  context_.kind_names = question_.options.kind_names.value_or(false);
  asking_ = true;
  take_source();
  ask_about_symbol();
  if (diagnostics_) diagnostics_->symbols_are_there();
  asking_ = false;
}

void ContextQuery::take_source() {
  if (question_.limits.source == 0) return;
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  if (!text) {
    context_.source.failure = "the text of this document is not known";
    return;
  }
  context_.source.value =
      table::source_lines(lsp::DocumentText(*text, services_.encoding),
                          context_.rows.tree.symbols.front().range, question_.limits.source);
  if (!context_.source.value) context_.source.failure = "the document has no such lines";
}

void ContextQuery::ask_about_symbol() {
  const lsp::Position at = context_.rows.tree.symbols.front().selection_range.start;
  const std::string place =
      fmt::format(R"("textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}})",
                  lsp::json_string(question_.uri), at.line, at.character);
  const std::string params = '{' + place + '}';
  services_.later(limit_, [weak = weak_from_this(), limit = limit_] {
    if (const auto self = weak.lock()) self->stop(fmt::format("not answered within {} ms", limit.count()));
  });
  if (question_.options.include_hover.value_or(true)) {
    if (services_.server_has_hovers) {
      context_.rows.with_hover = true;
      ask(Part::hover, "textDocument/hover", params, &ContextQuery::receive_hover);
    } else {
      context_.hover_failure = not_offered;
    }
  }
  if (question_.limits.references > 0) {
    if (services_.providers.references) {
      ask(Part::references, "textDocument/references",
          '{' + place + R"(,"context":{"includeDeclaration":false}})", &ContextQuery::receive_references);
    } else {
      context_.references.failure = not_offered;
    }
  }
  if (question_.limits.callers > 0) {
    if (services_.providers.call_hierarchy) {
      ask(Part::callers, "textDocument/prepareCallHierarchy", params, &ContextQuery::receive_call_hierarchy);
    } else {
      context_.callers.failure = not_offered;
    }
  }
  if (context_.rows.with_hover) collect_hovers();
}

// Those of the rows below the symbol: its own is asked for by itself, as it is given whole and its failure is
// told.
void ContextQuery::collect_hovers() {
  table::SymbolRows below;
  const auto& symbols = context_.rows.tree.symbols;
  below.tree.symbols.assign(symbols.begin() + 1, symbols.end());
  for (lsp::DocumentSymbol& symbol : below.tree.symbols) symbol.parent = -1;  // its row is not among these
  context_.rows.hovers.resize(symbols.size());
  collecting_ = true;
  collector_.emplace(services_.hovers, question_.uri, std::move(below),
                     HoverForm{.characters = question_.options.row_hover_chars()},
                     [this](const table::SymbolRows& filled, std::size_t missing) {
                       const auto self = shared_from_this();  // `done` may let go of this
                       collecting_ = false;
                       hovers_missing_ = missing;
                       std::ranges::copy(filled.hovers, context_.rows.hovers.begin() + 1);
                       finish_if_complete();
                     });
  collector_->start();
}

void ContextQuery::receive_hover(const lsp::Reply& reply) {
  if (reply.failed) {
    context_.hover_failure = refusal_text(reply);
    return;
  }
  const Result<lsp::Hover> hover = lsp::decode_hover(lsp::whole_json_value(reply.result));
  if (!hover) {
    context_.hover_failure = hover.error().message;
    return;
  }
  const table::HoverText parts = table::split_hover(*hover, context_.rows.tree.symbols.front().name);
  const std::size_t characters = question_.options.hover_chars.value_or(0);
  symbol_hover_ = table::join_hover(parts, characters);
  context_.signature = table::cut_text(parts.signature, characters);
}

void ContextQuery::receive_references(const lsp::Reply& reply) {
  take_part(context_.references, reply, [this](std::string_view result) {
    return lsp::decode_locations(result, question_.limits.references);
  });
}

void ContextQuery::receive_call_hierarchy(const lsp::Reply& reply) {
  if (reply.failed) {
    context_.callers.failure = refusal_text(reply);
    return;
  }
  const auto item = lsp::prepared_call_hierarchy_item(lsp::whole_json_value(reply.result));
  if (!item) {
    context_.callers.failure = item.error().message;
  } else if (!*item) {
    context_.callers.failure = "the server has no call hierarchy for this symbol";
  } else {
    ask(Part::callers, "callHierarchy/incomingCalls", fmt::format(R"({{"item":{}}})", **item),
        &ContextQuery::receive_callers);
  }
}

void ContextQuery::receive_callers(const lsp::Reply& reply) {
  take_part(context_.callers, reply, [this](std::string_view result) {
    return lsp::decode_incoming_calls(result, question_.limits.callers);
  });
}

std::string* ContextQuery::failure_of(Part part) {
  switch (part) {
    case Part::symbols:
      break;
    case Part::hover:
      return &context_.hover_failure;
    case Part::references:
      return &context_.references.failure;
    case Part::callers:
      return &context_.callers.failure;
  }
  return nullptr;
}

void ContextQuery::stop(const std::string& reason) {
  if (!done_ || context_.rows.tree.symbols.empty()) return;
  const auto self = shared_from_this();
  asking_ = true;  // and not done before all is stopped
  for (std::size_t i = 0; i < part_count; ++i) {
    if (!out_[i]) continue;
    services_.server.cancel(*std::exchange(out_[i], {}));
    if (std::string* failure = failure_of(static_cast<Part>(i))) *failure = reason;
  }
  if (diagnosing_) diagnostics_->stop(reason);
  if (collector_ && collecting_) collector_->stop();
  asking_ = false;
  finish_if_complete();
}

bool ContextQuery::is_complete() const {
  const bool none_out = std::ranges::none_of(out_, [](const auto& number) { return number.has_value(); });
  return done_ && !asking_ && !context_.rows.tree.symbols.empty() && none_out && !collecting_ && !diagnosing_;
}

void ContextQuery::finish_if_complete() {
  if (is_complete()) answer(outcome());
}

ContextOutcome ContextQuery::outcome() {
  if (context_.diagnostics.value) {
    table::keep_diagnostics(*context_.diagnostics.value, context_.rows.tree.symbols.front().range,
                            question_.limits.diagnostics);
  }
  if (context_.rows.with_hover) context_.rows.hovers.front() = symbol_hover_;
  ContextOutcome outcome = outcome_of(std::move(context_), question_.options.max_tokens);
  outcome.hovers_missing = hovers_missing_;
  return outcome;
}

void ContextQuery::fail(ContextFailure failure) {
  ContextOutcome outcome;
  outcome.failure = std::move(failure);
  answer(std::move(outcome));
}

void ContextQuery::answer(ContextOutcome outcome) {
  if (const Done done = std::exchange(done_, {})) done(std::move(outcome));
}

}  // namespace symbols::query
