#include "proxy/query/refusal.h"

#include <fmt/format.h>

namespace symbols::query {

std::string refusal_text(const lsp::Reply& reply) {
  if (reply.error.code == lsp::error_code::method_not_found) return std::string(not_offered);
  return fmt::format("{} (error {})",
                     reply.error.message.empty() ? "the server gave no reason" : reply.error.message,
                     reply.error.code);
}

}  // namespace symbols::query
