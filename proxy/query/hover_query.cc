#include "proxy/query/hover_query.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/json_ascii.h"
#include "lsp/json/json_edit.h"
#include "lsp/symbol_search.h"
#include "table/hover/hover_text.h"
#include "table/hover_row.h"

namespace symbols::query {
namespace {

// A hover is something a person waits for: after it has come, the symbols get this long.
constexpr std::chrono::milliseconds symbols_limit{500};

// An operator, say; a range of some length is that of a whole node.
bool may_be_name(const lsp::Range& range) {
  constexpr std::uint32_t longest_name = 200;
  return range.start.line == range.end.line && range.end.character - range.start.character <= longest_name;
}

}  // namespace

std::shared_ptr<HoverQuery> HoverQuery::create(QueryServices services, SymbolMemory& symbols,
                                               HoverQuestion question, Done done) {
  return std::shared_ptr<HoverQuery>(
      new HoverQuery(std::move(services), symbols, std::move(question), std::move(done)));
}

HoverQuery::HoverQuery(QueryServices services, SymbolMemory& symbols, HoverQuestion question, Done done)
    : services_(std::move(services)),
      memory_(symbols),
      question_(std::move(question)),
      done_(std::move(done)) {}

HoverQuery::~HoverQuery() {
  if (in_flight_) services_.server.cancel(*in_flight_);
  memory_.cancel(symbols_out_);
}

void HoverQuery::start() {
  in_flight_ = services_.server.request("textDocument/hover", question_.params,
                                        [weak = weak_from_this()](const lsp::Reply& reply) {
                                          if (const auto self = weak.lock()) self->receive(reply);
                                        });
  if (question_.options.hover_reply_or_default() != options::HoverReply::row) {
    symbols_settled_ = true;
    return;
  }
  // At the same time, so that the hover need not wait for them one after the other.
  symbols_out_ = memory_.ask(question_.uri, [weak = weak_from_this()](const SymbolMemory::Tree& tree) {
    const auto self = weak.lock();
    if (!self) return;
    self->symbols_out_ = 0;
    self->tree_ = tree;
    self->symbols_settled_ = true;
    self->answer_when_known();
  });
}

void HoverQuery::receive(const lsp::Reply& reply) {
  in_flight_.reset();
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (raw.empty()) {
    answer(Answer::error(lsp::error_code::internal_error,
                         "the server's reply to hover is cut; see the server's log"));
    return;
  }
  std::string storage;
  if (reply.failed) {
    answer({true, std::string(lsp::ascii_json(raw, storage))});
    return;
  }
  if (services_.count) services_.count(raw);
  if (raw == "null") {
    answer({false, "null"});
    return;
  }
  Result<lsp::Hover> hover = lsp::decode_hover(raw);
  if (!hover || !lsp::member_value(raw, "contents")) {
    services_.warn("a hover reply of the server is passed on as it is: " +
                   (hover ? "it has no contents" : hover.error().message));
    answer({false, std::string(raw)});
    return;
  }
  hover_ = std::move(*hover);
  if (const auto range = lsp::member_value(raw, "range"); range && hover_->range)
    raw_range_ = lsp::ascii_json(*range, storage);
  answer_when_known();
  if (!done_) return;
  services_.later(symbols_limit, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->symbols_settled_ = true;
    self->answer_when_known();
  });
}

void HoverQuery::answer_when_known() {
  if (!hover_ || !symbols_settled_ || !done_) return;
  const std::size_t limit = question_.options.hover_chars.value_or(0);
  std::string value;
  if (question_.options.hover_reply_or_default() == options::HoverReply::row) {
    const std::shared_ptr<const std::string> text = services_.text(question_.uri);
    value = row(tree_.get(), text ? std::string_view(*text) : std::string_view());
  } else {
    value = table::flatten_hover(*hover_, limit);
  }
  std::string json = R"({"contents":{"kind":"plaintext","value":)";
  lsp::append_json_string(json, value);
  json += '}';
  if (!raw_range_.empty()) json += R"(,"range":)" + raw_range_;
  json += '}';
  answer({false, std::move(json)});
}

std::string HoverQuery::row(const lsp::SymbolTree* tree, std::string_view text) const {
  const lsp::Position position = question_.position;
  const lsp::DocumentText document(text, question_.encoding);
  const std::optional<lsp::Range> word =
      text.empty() ? std::optional<lsp::Range>() : document.word_at(position);
  const lsp::DocumentSymbol* symbol = tree != nullptr ? lsp::symbol_at(*tree, position) : nullptr;
  std::string_view name;
  if (word) {
    name = document.text(*word);
  } else if (symbol != nullptr) {
    name = symbol->name;
  } else if (hover_->range && may_be_name(*hover_->range)) {
    name = document.text(*hover_->range);
  }
  table::HoverRow row;
  row.name = name;
  if (symbol != nullptr) {
    row.kind = symbol->kind;
    row.kind_names = question_.options.kind_names.value_or(false);
    row.range = symbol->range;
    row.selection = symbol->selection_range;
    row.parent = symbol->parent >= 0
                     ? std::string_view(tree->symbols[static_cast<std::size_t>(symbol->parent)].name)
                     : std::string_view(symbol->container_name);
  } else {
    row.range = row.selection = hover_->range ? hover_->range : word;
    if (const lsp::DocumentSymbol* around =
            tree != nullptr ? lsp::innermost_around(*tree, position) : nullptr) {
      row.parent = around->name;
    }
  }
  const std::string flat = table::flatten_hover(*hover_, question_.options.hover_chars.value_or(0), row.name);
  row.hover = flat;
  return table::write_hover_row(row);
}

void HoverQuery::answer(Answer answer) {
  // Symbols that come late are of use to the next hover.
  memory_.stop_waiting(std::exchange(symbols_out_, 0));
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
}

}  // namespace symbols::query
