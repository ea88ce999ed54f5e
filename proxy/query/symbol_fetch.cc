#include "proxy/query/symbol_fetch.h"

#include <fmt/format.h>

#include <utility>

#include "proxy/query/document_params.h"
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
    tree_ = lsp::decode_document_symbols(reply_.result, text ? std::string_view(*text) : std::string_view());
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
  request_.send(
      "textDocument/documentSymbol", params_, [this](const lsp::Reply& reply) { receive(reply); },
      retry_.not_ready_for);
}

void SymbolFetch::receive(const lsp::Reply& reply) {
  SymbolReply answer(reply, uri_, texts_);
  if (is_doubtful(answer)) {
    doubt_timer_.start(delay_after(++empty_replies_), [this] { ask(); });
    return;
  }
  const Handler handler = std::exchange(handler_, {});
  handler(answer);
}

bool SymbolFetch::is_doubtful(SymbolReply& reply) const {
  constexpr int most_empty_replies = 4;
  if (!retry_.doubt_empty || empty_replies_ + 1 >= most_empty_replies) return false;
  if (!reply.tree() || !reply.tree()->symbols.empty()) return false;
  const std::shared_ptr<const std::string> text = texts_ ? texts_(uri_) : nullptr;
  return text && text->find_first_not_of(" \t\r\n") != std::string::npos;
}

}  // namespace symbols::query
