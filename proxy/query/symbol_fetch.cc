#include "proxy/query/symbol_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

SymbolFetch::SymbolFetch(lsp::RequestSender& sender, io::Timers& timers, Texts texts, std::string uri,
                         Handler handler, std::string params, SymbolRetry retry,
                         lsp::RecentDiagnostics* published)
    : uri_(std::move(uri)),
      params_(params.empty() ? document_params(uri_) : std::move(params)),
      texts_(std::move(texts)),
      retry_(retry),
      handler_(std::move(handler)),
      published_(published),
      request_(sender, timers),
      doubt_timer_(timers) {
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
    const milliseconds delay = delay_after(++empty_replies_);
    doubted_for_ += delay;
    doubt_timer_.start(delay, [this] { ask(); });
    return;
  }
  std::exchange(handler_, {})(answer);
}

bool SymbolFetch::is_doubtful(SymbolReply& reply) {
  constexpr int max_empty_replies = 4;
  constexpr milliseconds max_doubt{10'000};
  if (!retry_.doubt_empty || !reply.tree() || !reply.tree()->symbols.empty()) return false;
  const std::shared_ptr<const std::string> text = texts_ ? texts_(uri_) : nullptr;
  if (!text || text->find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (empty_replies_ + 1 < max_empty_replies) return true;
  if (asked_early_ && doubted_for_ < std::min(max_doubt, retry_.not_ready_for)) return true;
  if (asked_early_) published_->waited_in_vain(uri_);
  return false;
}

}  // namespace symbols::query
