#include "proxy/session/pending_at_client.h"

#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"

namespace symbols::session {
namespace {

constexpr std::size_t longest_id = 256;

}  // namespace

PendingAtClient::PendingAtClient(const std::string& prefix) : prefix_(prefix + "client-") {}

std::string PendingAtClient::new_id() {
  return lsp::json_string(prefix_ + std::to_string(++last_));
}

void PendingAtClient::add(std::string id, std::string_view original, bool server_waits) {
  const auto owed = owed_.try_emplace(std::move(id), Owed{.id = std::string(original)}).first;
  // An id may be used again before it was answered.
  if (server_waits && !std::exchange(owed->second.server_waits, true)) ++waited_for_;
}

std::optional<std::string> PendingAtClient::asked(std::string_view id, std::string_view body,
                                                  bool server_waits) {
  if (id.size() > longest_id || owed_.size() >= most) return {};
  if (!stale_.contains(id)) {
    add(std::string(id), id, server_waits);
    return {};
  }
  std::string changed = new_id();
  Result<std::string> renamed = lsp::with_value_at(body, {"id"}, changed);
  if (!renamed) return {};
  add(std::move(changed), id, server_waits);
  return std::move(*renamed);
}

std::string PendingAtClient::own_request() {
  return *stale_.insert(new_id()).first;
}

std::optional<std::string> PendingAtClient::answered(std::string_view id, std::string_view body) {
  if (const auto stale = stale_.find(id); stale != stale_.end()) {
    stale_.erase(stale);
    return "";
  }
  const auto owed = owed_.find(id);
  if (owed == owed_.end()) {
    const bool is_ours = id.starts_with('"') && id.substr(1).starts_with(prefix_);
    return is_ours ? std::optional(std::string()) : std::nullopt;
  }
  const std::string original = std::move(owed->second.id);
  if (owed->second.server_waits) --waited_for_;
  owed_.erase(owed);
  if (original == id) return {};
  Result<std::string> renamed = lsp::with_value_at(body, {"id"}, original);
  return renamed ? std::move(*renamed) : std::string();
}

void PendingAtClient::server_lost() {
  for (const auto& [id, owed] : std::exchange(owed_, {})) {
    if (stale_.size() < most) stale_.insert(id);
  }
  waited_for_ = 0;
}

}  // namespace symbols::session
