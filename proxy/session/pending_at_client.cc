#include "proxy/session/pending_at_client.h"

#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/json_edit.h"

namespace symbols::session {
namespace {

constexpr std::size_t longest_id = 256;

}  // namespace

std::string PendingAtClient::new_id() {
  return lsp::json_string(prefix_ + "client-" + std::to_string(++last_));
}

std::optional<std::string> PendingAtClient::asked(std::string_view id, std::string_view body) {
  if (id.size() > longest_id || owed_.size() >= most) return {};
  if (!stale_.contains(id)) {
    owed_.emplace(id, id);
    return {};
  }
  std::string changed = new_id();
  Result<std::string> renamed = lsp::with_member(body, "id", changed);
  if (!renamed) return {};
  owed_.emplace(std::move(changed), id);
  return std::move(*renamed);
}

std::string PendingAtClient::own_request() {
  return *stale_.insert(new_id()).first;
}

PendingAtClient::Answer PendingAtClient::answered(std::string_view id, std::string_view body) {
  if (const auto stale = stale_.find(id); stale != stale_.end()) {
    stale_.erase(stale);
    return {.fate = Fate::swallow};
  }
  const auto owed = owed_.find(id);
  if (owed == owed_.end()) return {};
  const std::string original = std::move(owed->second);
  owed_.erase(owed);
  if (original == id) return {};
  Result<std::string> renamed = lsp::with_member(body, "id", original);
  if (!renamed) return {.fate = Fate::swallow};
  return {.fate = Fate::change, .body = std::move(*renamed)};
}

void PendingAtClient::server_lost() {
  for (auto& [id, original] : std::exchange(owed_, {})) {
    if (stale_.size() < most) stale_.insert(id);
  }
}

}  // namespace symbols::session
