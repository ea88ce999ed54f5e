#include "proxy/session/server_progress.h"

#include <array>

#include "lsp/json/json_edit.h"

namespace symbols::session {

void ServerProgress::receive(std::string_view params) {
  const auto token = lsp::member_value(params, "token");
  const auto kind = lsp::value_at(params, std::array<std::string_view, 2>{"value", "kind"});
  if (!token || !kind || token->size() > longest_token) return;
  if (*kind == R"("begin")") {
    if (tokens_.size() < most_tokens) tokens_.emplace(*token);
  } else if (*kind == R"("end")") {
    if (const auto found = tokens_.find(*token); found != tokens_.end()) tokens_.erase(found);
  }
}

}  // namespace symbols::session
