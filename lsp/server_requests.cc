#include "lsp/server_requests.h"

#include <fmt/format.h>

#include "lsp/json/json_document.h"
#include "lsp/json_rpc.h"
#include "lsp/reply.h"

namespace symbols::lsp {
namespace {

// One null for each configuration item asked for.
std::string configuration_defaults(std::string_view params) {
  const Result<rapidjson::Document> document = parse_json(params);
  const rapidjson::Value* items = document ? member(*document, "items") : nullptr;
  std::string answer = "[";
  if (items != nullptr && items->IsArray()) {
    for (rapidjson::SizeType i = 0; i < items->Size(); ++i) answer += i == 0 ? "null" : ",null";
  }
  return answer + "]";
}

}  // namespace

std::string workspace_folders(std::string_view root_uri, std::string_view root_name) {
  if (root_uri.empty()) return "null";
  return fmt::format(R"([{{"uri":{},"name":{}}}])", json_string(root_uri), json_string(root_name));
}

std::string answer_server_request(const Envelope& request, std::string_view root_uri,
                                  std::string_view root_name) {
  const std::string_view method = request.method;
  const auto answer = [&](std::string_view result) { return result_body(request.id, result); };
  if (method == "workspace/configuration") return answer(configuration_defaults(request.rest));
  if (method == "workspace/workspaceFolders") {
    return answer(workspace_folders(root_uri, root_name));
  }
  if (method == "client/registerCapability" || method == "client/unregisterCapability" ||
      method == "window/workDoneProgress/create" || method == "window/showMessageRequest" ||
      (method.starts_with("workspace/") && method.ends_with("/refresh"))) {
    return answer("null");
  }
  if (method == "window/showDocument") return answer(R"({"success":false})");
  if (method == "workspace/applyEdit") return answer(R"({"applied":false})");
  return error_body(request.id, error_json(error_code::method_not_found,
                                           "symbols does not know the request " + request.method));
}

}  // namespace symbols::lsp
