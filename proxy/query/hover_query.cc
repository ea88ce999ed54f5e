#include "proxy/query/hover_query.h"

#include <algorithm>

#include "base/clock.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/symbol_search.h"
#include "proxy/query/source_errors.h"
#include "table/formats/format.h"
#include "table/hover/hover_text.h"

namespace symbols::query {
namespace {

// A person waits for this hover: once it has arrived, the symbols get this long.
constexpr milliseconds symbols_limit{500};

// Bounds our memory with a server that answers none of them.
constexpr std::ptrdiff_t max_in_flight = 64;

// Whether a hover's range may be that of a name that is no word, such as an operator; a longer one is that of
// a whole syntax node.
bool may_be_name(const lsp::Range& range) {
  constexpr std::uint32_t max_name = 200;
  return range.start.line == range.end.line && range.end.character - range.start.character <= max_name;
}

}  // namespace

HoverSymbols::Tree HoverSymbols::find(std::string_view uri) const {
  const auto found = std::ranges::find_if(
      documents_, [uri](const Document& document) { return document.uri == uri && document.tree; });
  return found == documents_.end() ? nullptr : found->tree;
}

bool HoverSymbols::ask(const void* waiter, std::string_view uri, Handler handler) {
  auto found = std::ranges::find_if(documents_, [uri](const Document& document) {
    return document.uri == uri && !document.tree && !document.stale;
  });
  if (found == documents_.end()) {
    if (std::ranges::count(documents_, nullptr, &Document::tree) >= max_in_flight) return false;
    found = documents_.emplace(documents_.begin(), uri);
    found->fetch.emplace(sender_, timers_, texts_, std::string(uri),
                         [this, found](SymbolReply& reply) { receive(found, reply); });
  }
  found->waiting.emplace_back(waiter, std::move(handler));
  std::size_t unawaited = 0;
  std::erase_if(documents_, [&unawaited](const Document& document) {
    return document.waiting.empty() && ++unawaited > max_documents;
  });
  return true;
}

void HoverSymbols::receive(Documents::iterator document, SymbolReply& reply) {
  Tree tree;
  if (reply.tree()) tree = std::make_shared<const lsp::SymbolTree>(std::move(*reply.tree()));
  due_ = std::exchange(document->waiting, {});
  // A server that is loading may answer that a document has no symbols: not cached, to be asked again.
  if (!tree || tree->symbols.empty() || document->stale) {
    documents_.erase(document);
  } else {
    document->tree = tree;
  }
  while (!due_.empty()) {
    const Handler handler = std::move(due_.front().second);
    due_.pop_front();
    handler(tree);
  }
}

void HoverSymbols::cancel(const void* waiter) {
  const auto is_its = [waiter](const auto& waiting) { return waiting.first == waiter; };
  due_.remove_if(is_its);
  std::erase_if(documents_, [&is_its](Document& document) {
    return document.waiting.remove_if(is_its) > 0 && document.waiting.empty();
  });
}

void HoverSymbols::stop_waiting(const void* waiter) {
  for (Document& document : documents_)
    document.waiting.remove_if([waiter](const auto& waiting) { return waiting.first == waiter; });
}

void HoverSymbols::invalidate() {
  std::erase_if(documents_, [](const Document& document) { return document.tree != nullptr; });
  for (Document& document : documents_) document.stale = true;
}

HoverQuery::HoverQuery(QueryServices services, HoverSymbols& symbols, HoverQuestion question, Done done)
    : services_(std::move(services)),
      symbols_(symbols),
      question_(std::move(question)),
      done_(std::move(done)),
      request_(services_.server, services_.timers),
      symbols_timer_(services_.timers) {
  request_.send(hover_method, question_.params, [this](const lsp::Reply& reply) { receive(reply); });
}

void HoverQuery::receive(const lsp::Reply& reply) {
  const std::string_view raw = lsp::whole_json_value(reply.result);
  if (raw.empty())
    return answer(Answer::error(lsp::error_code::internal_error,
                                "the server's reply to hover is cut; see the server's log"));
  std::string storage;
  if (reply.failed) return answer({true, std::string(lsp::ascii_json(raw, storage))});
  if (services_.count) services_.count(raw);
  if (raw == "null") return answer({false, "null"});
  Result<lsp::Hover> hover = lsp::decode_hover(raw);
  if (!hover || !lsp::member_value(raw, "contents")) {
    services_.warn("a hover reply of the server is passed on as it is: " +
                   (hover ? "it has no contents" : hover.error().message));
    return answer({false, std::string(raw)});
  }
  hover_ = std::move(*hover);
  if (const auto range = lsp::member_value(raw, "range"); range && hover_.range)
    raw_range_ = lsp::ascii_json(*range, storage);
  if (!wants_row()) return finish(nullptr);
  if (const HoverSymbols::Tree tree = symbols_.find(question_.uri)) return finish(tree.get());
  if (!symbols_.ask(this, question_.uri, [this](const HoverSymbols::Tree& tree) { finish(tree.get()); }))
    return finish(nullptr);
  symbols_timer_.start(symbols_limit, [this] {
    symbols_.stop_waiting(this);  // late symbols are of use to the next hover
    finish(nullptr);
  });
}

void HoverQuery::finish(const lsp::SymbolTree* tree) {
  std::string value;
  if (wants_row()) {
    const std::shared_ptr<const std::string> text = services_.text(question_.uri);
    value = row(tree, text ? std::string_view(*text) : std::string_view());
  } else {
    value = table::join_hover(table::split_hover(hover_), question_.options.hover_chars.value_or(0));
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
  const lsp::PositionIndex document(text, services_.capabilities.position_encoding);
  const std::optional<lsp::Range> word =
      text.empty() ? std::optional<lsp::Range>() : document.word_at(position);
  const lsp::DocumentSymbol* symbol = tree != nullptr ? lsp::symbol_at(*tree, position) : nullptr;
  std::string_view name;
  if (word) {
    name = document.text(*word);
  } else if (symbol != nullptr) {
    name = symbol->name;
  } else if (hover_.range && may_be_name(*hover_.range)) {
    name = document.text(*hover_.range);
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
    row.range = row.selection = hover_.range ? hover_.range : word;
    if (const lsp::DocumentSymbol* around =
            tree != nullptr ? lsp::innermost_around(*tree, position) : nullptr) {
      row.parent = around->name;
    }
  }
  table::HoverText parts = table::split_hover(hover_, row.name);
  if (symbol != nullptr) WrittenDeclarations(services_, question_.uri).replace_signature(parts, *symbol);
  const std::string flat = table::join_hover(parts, question_.options.hover_chars.value_or(0));
  row.hover = flat;
  return table::write_hover_row(row);
}

void HoverQuery::answer(Answer answer) {
  symbols_timer_.stop();
  if (const Done done = std::exchange(done_, {})) done(std::move(answer));
}

}  // namespace symbols::query
