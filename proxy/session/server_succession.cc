#include "proxy/session/server_succession.h"

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/messages.h"

namespace symbols::session {
namespace {

// In the order in which they are repeated.
constexpr std::array<std::string_view, 3> last_counts = {"initialized", "$/setTrace",
                                                         "workspace/didChangeConfiguration"};
constexpr std::string_view folders_changed = "workspace/didChangeWorkspaceFolders";

std::string_view capabilities_of(std::string_view result) {
  return lsp::member_value(result, "capabilities").value_or("{}");
}

// Not for those without a result, which only inform the client: some clients never answer them.
bool waits_for_answer(std::string_view method) {
  return method != "client/registerCapability" && method != "client/unregisterCapability" &&
         method != "window/workDoneProgress/create" && !method.ends_with("/refresh");
}

constexpr std::size_t max_id_bytes = 256;

}  // namespace

PendingAtClient::PendingAtClient(const std::string& prefix) : prefix_(prefix + "client-") {}

std::string PendingAtClient::new_id() {
  return lsp::json_string(prefix_ + std::to_string(++last_));
}

std::optional<std::string> PendingAtClient::asked(std::string_view id, std::string_view body,
                                                  bool server_waits) {
  if (id.size() > max_id_bytes || owed_.size() >= max_requests) return {};
  std::optional<std::string> renamed;
  std::string known(id);
  if (stale_.contains(id)) {
    known = new_id();
    std::optional<std::string> changed = lsp::with_value_at(body, {"id"}, known);
    if (!changed) return {};
    renamed = std::move(*changed);
  }
  // An id may be used again before it was answered.
  owed_.try_emplace(std::move(known), Owed{.id = std::string(id)}).first->second.server_waits |= server_waits;
  return renamed;
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
  owed_.erase(owed);
  if (original == id) return {};
  std::optional<std::string> renamed = lsp::with_value_at(body, {"id"}, original);
  return renamed ? std::move(*renamed) : std::string();
}

void PendingAtClient::server_lost() {
  for (const auto& [id, owed] : std::exchange(owed_, {})) {
    if (stale_.size() < max_requests) stale_.insert(id);
  }
}

bool PendingAtClient::server_waits() const {
  return std::ranges::any_of(owed_, [](const auto& one) { return one.second.server_waits; });
}

void ServerSuccession::initialize(std::string_view id, std::string_view body) {
  id_ = id;
  initialize_ = body;
  last_ = {};
  folders_.clear();
  folder_bytes_ = 0;
}

void ServerSuccession::notified(std::string_view method, std::string_view body) {
  for (std::size_t i = 0; i < last_counts.size(); ++i) {
    if (method == last_counts[i]) last_[i] = body;
  }
  if (method != folders_changed) return;
  folders_.emplace_back(body);
  folder_bytes_ += body.size();
  while (folder_bytes_ > max_folder_bytes) {
    folder_bytes_ -= folders_.front().size();
    folders_.pop_front();
  }
}

std::vector<std::string_view> ServerSuccession::notifications() const {
  std::vector<std::string_view> all(last_.begin(), last_.end());
  std::erase(all, "");
  all.insert(all.end(), folders_.begin(), folders_.end());
  return all;
}

void ServerSuccession::initialized(std::string_view result) {
  capabilities_ = capabilities_of(result);
}

bool ServerSuccession::offers_other(std::string_view result) const {
  return capabilities_of(result) != capabilities_;
}

std::optional<std::string> ServerSuccession::asked(const lsp::Envelope& request, std::string_view body) {
  if (request.method == "client/registerCapability") registrations_.add(request.rest);
  if (request.method == "client/unregisterCapability") registrations_.remove(request.rest);
  return at_client_.asked(request.id, body, waits_for_answer(request.method));
}

std::vector<std::string> ServerSuccession::take_leave(lsp::WorkDoneProgress& progress) {
  at_client_.server_lost();
  std::vector<std::string> bodies = progress.end_all();
  if (const std::string params = registrations_.take_unregistration(); !params.empty()) {
    bodies.push_back(lsp::request_body(at_client_.own_request(), "client/unregisterCapability", params));
  }
  return bodies;
}

}  // namespace symbols::session
