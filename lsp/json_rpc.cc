#include "lsp/json_rpc.h"

#include <initializer_list>

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

constexpr std::string_view version = R"({"jsonrpc":"2.0")";

// Bodies may hold the text of a whole document, so it is copied only once.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string body;
  body.reserve(size);
  for (const std::string_view part : parts) body += part;
  return body;
}

}  // namespace

std::string request_body(std::string_view id, std::string_view method, std::string_view params) {
  return joined({version, R"(,"id":)", id, R"(,"method":")", method, "\"",
                 params.empty() ? "" : R"(,"params":)", params, "}"});
}

std::string notification_body(std::string_view method, std::string_view params) {
  return joined(
      {version, R"(,"method":")", method, "\"", params.empty() ? "" : R"(,"params":)", params, "}"});
}

std::string cancel_body(std::string_view id) {
  return notification_body("$/cancelRequest", joined({R"({"id":)", id, "}"}));
}

std::string result_body(std::string_view id, std::string_view result) {
  return joined({version, R"(,"id":)", id, R"(,"result":)", result, "}"});
}

std::string error_body(std::string_view id, std::string_view error) {
  return joined({version, R"(,"id":)", id, R"(,"error":)", error, "}"});
}

std::string error_json(int code, std::string_view message, std::string_view data) {
  return joined({R"({"code":)", std::to_string(code), R"(,"message":)", json_string(message),
                 data.empty() ? "" : R"(,"data":)", data, "}"});
}

}  // namespace symbols::lsp
