#include "proxy/session/session_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"

namespace symbols::session {
namespace {

std::string_view capabilities_of(std::string_view result) {
  return lsp::member_value(result, "capabilities").value_or("{}");
}

constexpr std::string_view folders_changed = "workspace/didChangeWorkspaceFolders";
constexpr std::size_t max_notifications = 1000;  // beyond it the first changes of folders are forgotten

// Requests without a result only inform the client, and some never answer them: the server does not wait.
bool waits_for_answer(std::string_view method) {
  return method != "client/registerCapability" && method != "client/unregisterCapability" &&
         method != "window/workDoneProgress/create" && !method.ends_with("/refresh");
}

}  // namespace

void SessionReplay::initialize(std::string_view params) {
  initialize_params_ = params;
  notifications_.clear();
}

void SessionReplay::notified(std::string_view method, std::string_view body) {
  const bool last_counts = is_among(method, "initialized $/setTrace workspace/didChangeConfiguration");
  if (!last_counts && method != folders_changed) return;
  const auto before = std::ranges::find(notifications_, method, &Notification::method);
  if (last_counts && before != notifications_.end()) {
    before->body = body;
  } else {
    notifications_.push_back({.method = std::string(method), .body = std::string(body)});
    if (notifications_.size() > max_notifications)
      notifications_.erase(std::ranges::find(notifications_, folders_changed, &Notification::method));
  }
}

void SessionReplay::initialized(std::string_view result) {
  capabilities_ = capabilities_of(result);
}

bool SessionReplay::offers_other(std::string_view result) const {
  return capabilities_of(result) != capabilities_;
}

std::optional<std::string> SessionReplay::asked(const lsp::Envelope& request, std::string_view body) {
  if (request.method == "client/registerCapability") registrations_.add(request.rest);
  if (request.method == "client/unregisterCapability") registrations_.remove(request.rest);
  if (waits_for_answer(request.method) && awaited_.size() < max_awaited && request.id.size() <= max_id_bytes)
    awaited_.emplace(request.id);
  if (lost_ == 0) return {};
  return lsp::with_value_at(body, {"id"}, passed_id(request.id));
}

std::optional<std::string> SessionReplay::cancelled(std::string_view body) const {
  const std::optional<std::string_view> id = lsp::value_at(body, {"params", "id"});
  if (lost_ == 0 || !id) return {};
  return lsp::with_value_at(body, {"params", "id"}, passed_id(*id));
}

std::string SessionReplay::passed_id(std::string_view id) const {
  return lsp::json_string(fmt::format("{}{}-{}", prefix_, lost_, id));
}

std::optional<std::string> SessionReplay::answered(std::string_view id, std::string_view body) {
  const std::optional<std::string> text = lsp::json_string_text(id);
  const bool is_ours = text && text->starts_with(prefix_);
  if (is_ours) {
    const std::string present = fmt::format("{}{}-", prefix_, lost_);
    id = text->starts_with(present) ? std::string_view(*text).substr(present.size()) : "";
    if (id != "null" && !lsp::is_json_string_or_number(id)) return "";
  } else if (lost_ > 0) {
    return "";
  }
  if (const auto awaited = awaited_.find(id); awaited != awaited_.end()) awaited_.erase(awaited);
  return is_ours ? lsp::with_value_at(body, {"id"}, id) : std::nullopt;
}

std::vector<std::string> SessionReplay::take_leave(lsp::WorkDoneProgress& progress) {
  const std::string own_id = lsp::json_string(prefix_ + std::to_string(++lost_));
  awaited_.clear();
  std::vector<std::string> bodies = progress.end_all();
  if (const std::string params = registrations_.take_unregistration(); !params.empty())
    bodies.push_back(lsp::request_body(own_id, "client/unregisterCapability", params));
  return bodies;
}

}  // namespace symbols::session
