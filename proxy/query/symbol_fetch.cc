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
  const Handler handler = std::exchange(handler_, {});
  handler(answer);
}

bool SymbolFetch::is_doubtful(SymbolReply& reply) {
  constexpr int most_empty_replies = 4;
  constexpr std::chrono::milliseconds longest_doubt{10'000};
  if (!retry_.doubt_empty || !reply.tree() || !reply.tree()->symbols.empty()) return false;
  const std::shared_ptr<const std::string> text = texts_ ? texts_(uri_) : nullptr;
  if (!text || text->find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (empty_replies_ + 1 < most_empty_replies) return true;
  if (asked_early_ && doubted_for_ < std::min(longest_doubt, retry_.not_ready_for)) return true;
  if (asked_early_) published_->waited_in_vain(uri_);
  return false;
}

}  // namespace symbols::query
