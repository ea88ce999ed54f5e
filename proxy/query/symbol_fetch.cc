#include "proxy/query/symbol_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proxy/query/request_params.h"
#include "table/escape.h"

namespace symbols::query {

Result<lsp::SymbolTree>& SymbolReply::tree() {
  if (tree_) return *tree_;
  if (reply_.failed) {
    tree_ = Error{fmt::format("the server refused documentSymbol: {} (error {})",
                              table::quoted(reply_.error.message), reply_.error.code),
                  {}};
  } else {
    const std::shared_ptr<const std::string> text = texts_ ? texts_(uri_) : nullptr;
    std::size_t offset = 0;
    tree_ = lsp::decode_document_symbols(reply_.result, text ? std::string_view(*text) : std::string_view(),
                                         &offset);
    if (!*tree_) {
      tree_ = Error{fmt::format("the documentSymbol reply is not what LSP says, at byte {}: {}", offset,
                                tree_->error().message),
                    {}};
    }
  }
  return *tree_;
}

void SymbolFetch::start(std::string_view uri, std::string_view params, SymbolRetry retry, Handler handler) {
  uri_ = uri;
  params_ = params.empty() ? document_params(uri) : std::string(params);
  retry_ = retry;
  handler_ = std::move(handler);
  ask();
}

void SymbolFetch::ask() {
  asked_early_ = published_ != nullptr && published_->last(uri_).awaited;
  request_.send(
      "textDocument/documentSymbol", params_, [this](const lsp::Reply& reply) { receive(reply); },
      retry_.not_ready_for);
}

void SymbolFetch::receive(const lsp::Reply& reply) {
  SymbolReply answer(reply, uri_, texts_);
  if (is_doubtful(answer)) {
    const std::chrono::milliseconds delay = delay_after(++empty_replies_);
    doubted_for_ += delay;
    doubt_timer_.start(delay, [this] { ask(); });
    return;
  }
  std::exchange(handler_, {})(answer);
}

bool SymbolFetch::is_doubtful(SymbolReply& reply) {
  constexpr int max_empty_replies = 4;
  constexpr std::chrono::milliseconds max_doubt{10'000};
  if (!retry_.doubt_empty || !reply.tree() || !reply.tree()->symbols.empty()) return false;
  const std::shared_ptr<const std::string> text = texts_ ? texts_(uri_) : nullptr;
  if (!text || text->find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (empty_replies_ + 1 < max_empty_replies) return true;
  if (asked_early_ && doubted_for_ < std::min(max_doubt, retry_.not_ready_for)) return true;
  if (asked_early_) published_->waited_in_vain(uri_);
  return false;
}

HoverSymbols::Tree HoverSymbols::find(std::string_view uri) {
  const auto found = std::ranges::find_if(
      documents_, [uri](const Document& document) { return document.uri == uri && document.tree; });
  if (found == documents_.end()) return nullptr;
  documents_.splice(documents_.begin(), documents_, found);
  return found->tree;
}

HoverSymbols::Ticket HoverSymbols::ask(std::string_view uri, Handler handler) {
  auto found = std::ranges::find_if(documents_, [uri](const Document& document) {
    return document.uri == uri && document.fetch.is_out() && !document.stale;
  });
  if (found == documents_.end()) {
    const auto out = [](const Document& document) { return document.fetch.is_out(); };
    if (std::ranges::count_if(documents_, out) >= std::ptrdiff_t{max_in_flight}) return 0;
    documents_.emplace_front(uri, *this);
    found = documents_.begin();
    found->fetch.start(uri, {}, {}, [this, found](SymbolReply& reply) { receive(found, reply); });
  }
  found->waiting.push_back(++last_ticket_);
  handlers_.emplace(last_ticket_, std::move(handler));
  return last_ticket_;
}

void HoverSymbols::receive(Documents::iterator document, SymbolReply& reply) {
  Tree tree;
  if (reply.tree()) tree = std::make_shared<const lsp::SymbolTree>(std::move(*reply.tree()));
  const std::vector<Ticket> waiting = std::exchange(document->waiting, {});
  // A server that is loading may answer that a document has no symbols: not cached, so that it is asked
  // again.
  if (!tree || tree->symbols.empty() || document->stale) {
    documents_.erase(document);
  } else {
    document->tree = tree;
  }
  evict_least_used();
  for (const Ticket ticket : waiting) {
    if (auto waiter = handlers_.extract(ticket))
      waiter.mapped()(tree);  // else the previous handler cancelled it
  }
}

HoverSymbols::Documents::iterator HoverSymbols::remove_waiter(Ticket ticket) {
  handlers_.erase(ticket);
  return std::ranges::find_if(
      documents_, [ticket](Document& document) { return std::erase(document.waiting, ticket) > 0; });
}

void HoverSymbols::cancel(Ticket ticket) {
  const auto document = remove_waiter(ticket);
  if (document != documents_.end() && document->waiting.empty()) documents_.erase(document);
}

// Those in flight stay: their replies are awaited.
void HoverSymbols::evict_least_used() {
  std::size_t kept = 0;
  std::erase_if(documents_,
                [&kept](const Document& document) { return document.tree && ++kept > max_documents; });
}

void HoverSymbols::invalidate() {
  std::erase_if(documents_, [](const Document& document) { return document.tree != nullptr; });
  for (Document& document : documents_) document.stale = true;
}

}  // namespace symbols::query
