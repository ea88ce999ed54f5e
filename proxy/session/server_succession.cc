#include "proxy/session/server_succession.h"

#include <algorithm>

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

}  // namespace

void SessionReplay::initialize(std::string_view id, std::string_view body) {
  *this = {};
  id_ = id;
  initialize_ = body;
}

void SessionReplay::notified(std::string_view method, std::string_view body) {
  for (std::size_t i = 0; i < last_counts.size(); ++i) {
    if (method == last_counts[i]) last_[i] = body;
  }
  if (method != folders_changed) return;
  folders_.emplace_back(body);
  folder_bytes_ += body.size();
  while (folder_bytes_ > most_folder_bytes) {
    folder_bytes_ -= folders_.front().size();
    folders_.pop_front();
  }
}

std::vector<std::string_view> SessionReplay::notifications() const {
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
