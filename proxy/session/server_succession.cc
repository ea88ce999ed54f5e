#include "proxy/session/server_succession.h"

#include "lsp/json/json_edit.h"
#include "lsp/json_rpc.h"

namespace symbols::session {
namespace {

std::string_view capabilities_of(std::string_view result) {
  return lsp::member_value(result, "capabilities").value_or("{}");
}

// Not for those that have no result and only tell the client something: there are clients that never answer
// them.
bool waits_for_answer(std::string_view method) {
  return method != "client/registerCapability" && method != "client/unregisterCapability" &&
         method != "window/workDoneProgress/create" && !method.ends_with("/refresh");
}

}  // namespace

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
