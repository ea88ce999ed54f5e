#include "proxy/query/refusal.h"

#include <fmt/format.h>

#include "lsp/json/json.h"
#include "lsp/json/json_edit.h"

namespace symbols::query {

std::string refusal_text(const lsp::Reply& reply) {
  if (reply.error.code == lsp::error_code::method_not_found) return std::string(not_offered);
  std::string storage;
  std::string message = reply.error.message;
  if (const auto raw = lsp::member_value(reply.result, "message"); raw && raw->size() >= 2) {
    message = lsp::unescape_json_string(raw->substr(1, raw->size() - 2), storage);
  }
  return fmt::format("{} (error {})", message.empty() ? "the server gave no reason" : message,
                     reply.error.code);
}

}  // namespace symbols::query
