#include "proxy/context_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/hover.h"
#include "lsp/json.h"
#include "lsp/json_ascii.h"
#include "lsp/json_edit.h"
#include "lsp/symbol_search.h"
#include "table/escape.h"
#include "table/hover_text.h"

namespace symbols::proxy {
namespace {

constexpr std::string_view not_offered = "not offered by the server";
constexpr std::size_t most_places_told = 20;

// Why a request was refused, in the server's own words as far as it has any.
std::string reason_of(const lsp::Reply& reply) {
  if (reply.error.code == lsp::error_code::method_not_found) return std::string(not_offered);
  std::string storage;
  std::string message = reply.error.message;
  if (const auto raw = lsp::member_value(reply.result, "message"); raw && raw->size() >= 2) {
    message = lsp::unescape_json_string(raw->substr(1, raw->size() - 2), storage);
  }
  return fmt::format("{} (error {})", message.empty() ? "the server gave no reason" : message,
                     reply.error.code);
}

template <class T, class Decode>
void take_part(table::ContextPart<T>& part, const lsp::Reply& reply, Decode decode) {
  if (reply.failed) {
    part.failure = reason_of(reply);
    return;
  }
  Result<T> decoded = decode(lsp::whole_json_value(reply.result));
  if (decoded) {
    part.value = std::move(*decoded);
  } else {
    part.failure = decoded.error().message;
  }
}

std::string document_json(std::string_view uri) {
  return fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri));
}

}  // namespace

std::shared_ptr<ContextQuery> ContextQuery::create(QueryServices services, ContextServer server,
                                                   ContextQuestion question, Done done) {
  return std::shared_ptr<ContextQuery>(
      new ContextQuery(std::move(services), std::move(server), std::move(question), std::move(done)));
}

ContextQuery::ContextQuery(QueryServices services, ContextServer server, ContextQuestion question, Done done)
    : services_(std::move(services)),
      server_(std::move(server)),
      question_(std::move(question)),
      done_(std::move(done)) {}

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
  const std::string document = document_json(question_.uri);
  ask(Part::symbols, "textDocument/documentSymbol", document, &ContextQuery::receive_symbols);
  if (question_.limits.diagnostics > 0 && server_.providers.diagnostics) {
    ask(Part::diagnostics, "textDocument/diagnostic", document, &ContextQuery::receive_diagnostics);
  }
}

void ContextQuery::receive_symbols(const lsp::Reply& reply) {
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (reply.failed) {
    std::string storage;
    answer({true, std::string(lsp::ascii_json(raw, storage))});
    return;
  }
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  const Result<lsp::SymbolTree> tree =
      lsp::decode_document_symbols(raw, text ? std::string_view(*text) : std::string_view());
  if (!tree) {
    fail(lsp::error_code::request_failed,
         "symbols.context: the server's symbols cannot be read: " + tree.error().message);
    return;
  }
  const lsp::DocumentSymbol* symbol = find_symbol(*tree);
  if (symbol == nullptr) return;
  table::set_context_rows(context_, *tree, static_cast<std::size_t>(symbol - tree->symbols.data()),
                          question_.levels, question_.limits.children);
  take_source();
  ask_about_symbol();
}

// Where there is not one, the query is answered with the reason.
const lsp::DocumentSymbol* ContextQuery::find_symbol(const lsp::SymbolTree& tree) {
  if (question_.position) {
    const lsp::Position position = *question_.position;
    const lsp::DocumentSymbol* symbol = lsp::symbol_at(tree, position);
    if (symbol == nullptr) symbol = lsp::innermost_around(tree, position);
    if (symbol == nullptr) {
      fail(lsp::error_code::request_failed,
           fmt::format(
               "symbols.context: there is no symbol at {}:{} (zero-based); textDocument/documentSymbol "
               "tells which there are",
               position.line, position.character));
    }
    return symbol;
  }
  const std::vector<const lsp::DocumentSymbol*> found = lsp::symbols_called(tree, *question_.name);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    fail(lsp::error_code::request_failed,
         fmt::format("symbols.context: there is no symbol called {}; textDocument/documentSymbol tells which "
                     "there are",
                     table::quoted(*question_.name)));
    return nullptr;
  }
  std::string places;
  for (std::size_t i = 0; i < std::min(found.size(), most_places_told); ++i) {
    const lsp::Position start = found[i]->selection_range.start;
    places += fmt::format("{}{}:{}", i > 0 ? ", " : "", start.line, start.character);
  }
  if (found.size() > most_places_told) places += ", …";
  fail(lsp::error_code::request_failed,
       fmt::format("symbols.context: {} symbols are called {}, at {} (zero-based); give the position of one",
                   found.size(), table::quoted(*question_.name), places));
  return nullptr;
}

void ContextQuery::take_source() {
  if (question_.limits.source == 0) return;
  const std::shared_ptr<const std::string> text = services_.text(question_.uri);
  if (!text) {
    context_.source.failure = "the text of this document is not known";
    return;
  }
  context_.source.value =
      table::source_lines(lsp::DocumentText(*text, server_.encoding),
                          context_.rows.tree.symbols.front().range, question_.limits.source);
  if (!context_.source.value) context_.source.failure = "the document has no such lines";
}

void ContextQuery::ask_about_symbol() {
  const lsp::Position at = context_.rows.tree.symbols.front().selection_range.start;
  const std::string place =
      fmt::format(R"("textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}})",
                  lsp::json_string(question_.uri), at.line, at.character);
  const std::string params = '{' + place + '}';
  services_.later(question_.options.hover_timeout(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->stop();
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
    if (server_.providers.references) {
      ask(Part::references, "textDocument/references",
          '{' + place + R"(,"context":{"includeDeclaration":false}})", &ContextQuery::receive_references);
    } else {
      context_.references.failure = not_offered;
    }
  }
  if (question_.limits.callers > 0) {
    if (server_.providers.call_hierarchy) {
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
  collector_.emplace(services_.hovers, question_.uri, std::move(below), HoverForm{.characters = question_.options.row_hover_chars()},
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
    context_.hover_failure = reason_of(reply);
    return;
  }
  const Result<lsp::Hover> hover = lsp::decode_hover(lsp::whole_json_value(reply.result));
  if (!hover) {
    context_.hover_failure = hover.error().message;
    return;
  }
  symbol_hover_ = table::flatten_hover(*hover, question_.options.hover_chars.value_or(0),
                                       context_.rows.tree.symbols.front().name);
}

void ContextQuery::receive_references(const lsp::Reply& reply) {
  take_part(context_.references, reply, [this](std::string_view result) {
    return lsp::decode_locations(result, question_.limits.references);
  });
}

void ContextQuery::receive_call_hierarchy(const lsp::Reply& reply) {
  if (reply.failed) {
    context_.callers.failure = reason_of(reply);
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

void ContextQuery::receive_diagnostics(const lsp::Reply& reply) {
  take_part(context_.diagnostics, reply, lsp::decode_diagnostic_report);
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
    case Part::diagnostics:
      return &context_.diagnostics.failure;
  }
  return nullptr;
}

// The time is over.
void ContextQuery::stop() {
  if (!done_) return;
  const auto self = shared_from_this();
  for (std::size_t i = 0; i < part_count; ++i) {
    if (!out_[i]) continue;
    services_.server.cancel(*out_[i]);
    out_[i].reset();
    if (std::string* failure = failure_of(static_cast<Part>(i))) {
      *failure = fmt::format("not answered within {} ms", question_.options.hover_timeout().count());
    }
  }
  if (collector_ && collecting_) {
    collector_->stop();
  } else {
    finish_if_complete();
  }
}

// As late as can be: a server that was told of the document for this question alone publishes meanwhile.
void ContextQuery::take_published_diagnostics() {
  const Result<std::string_view> published = server_.published(question_.uri);
  const Result<lsp::DiagnosticList> list =
      published ? lsp::decode_diagnostics(*published) : Result<lsp::DiagnosticList>(published.error());
  if (list) {
    context_.diagnostics.value = *list;
  } else if (context_.diagnostics.failure.empty()) {
    context_.diagnostics.failure = list.error().message;
  }
}

bool ContextQuery::is_complete() const {
  const bool none_out = std::ranges::none_of(out_, [](const auto& number) { return number.has_value(); });
  return done_ && !context_.rows.tree.symbols.empty() && none_out && !collecting_;
}

void ContextQuery::finish_if_complete() {
  if (!is_complete()) return;
  if (question_.limits.diagnostics > 0) {
    if (!context_.diagnostics.value) take_published_diagnostics();
    if (context_.diagnostics.value) {
      table::keep_diagnostics(*context_.diagnostics.value, context_.rows.tree.symbols.front().range,
                              question_.limits.diagnostics);
    }
  }
  if (context_.rows.with_hover) context_.rows.hovers.front() = symbol_hover_;
  answer({false, result()});
}

std::string ContextQuery::result() const {
  std::string json = R"({"success":true,"format":"table","symbols":)";
  lsp::append_json_string(json, table::write_context(context_));
  std::string meta;
  const auto tell = [&meta](std::string_view name, std::string_view value) {
    meta += fmt::format(R"({}"{}":{})", meta.empty() ? "" : ",", name, value);
  };
  if (hovers_missing_ > 0) tell("hovers_missing", fmt::format("{}", hovers_missing_));
  const auto tell_failure = [&tell](std::string_view name, std::string_view failure) {
    if (!failure.empty()) tell(name, lsp::json_string(failure));
  };
  tell_failure("_hover_error", context_.hover_failure);
  tell_failure("_source_error", context_.source.failure);
  tell_failure("_references_error", context_.references.failure);
  tell_failure("_callers_error", context_.callers.failure);
  if (!context_.diagnostics.value) tell_failure("_diagnostics_error", context_.diagnostics.failure);
  if (!meta.empty()) json += R"(,"meta":{)" + meta + '}';
  json += '}';
  return json;
}

void ContextQuery::fail(int code, std::string_view message) {
  answer(Answer::error(code, message));
}

void ContextQuery::answer(Answer answer) {
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
}

}  // namespace symbols::proxy
