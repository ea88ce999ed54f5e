#include "lsp/messages.h"

#include <fmt/format.h>

#include <optional>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"

namespace symbols::lsp {

Result<Envelope> read_envelope(std::string_view body, bool past_params) {
  JsonMembers members(body);
  const auto malformed = [body] { return Error{"not a JSON-RPC message: " + quoted_start(body), {}}; };
  Envelope envelope;
  std::optional<std::string_view> method;  // raw
  // From the first byte of the value to the body's end.
  std::string_view params, result, error;
  while (members.next()) {
    const std::string_view name = members.name();
    if (name == "id") {
      const auto id = members.value();
      if (!id) break;
      // Anything else, copied into an answer of ours, would make it invalid JSON.
      if (*id != "null" && !is_json_string_or_number(*id)) return malformed();
      envelope.id = *id;
    } else if (name == "method") {
      if (members.rest().front() != '"') return malformed();
      method = members.value();
    } else if (name == "params") {
      params = members.rest();
    } else if (name == "result") {
      result = members.rest();
    } else if (name == "error" && !members.rest().starts_with("null")) {
      // Some servers always write both members, with `"error":null` beside a result.
      error = members.rest();
    }
    // With the id and the start of the value known, nothing after it matters. A notification and a request
    // can only be told apart at the end.
    if (method && !params.empty() && !past_params) break;
    if (!envelope.id.empty() && (method ? !params.empty() : !result.empty() || !error.empty())) break;
  }
  if (members.state() == JsonMembers::State::failed) return malformed();
  if (method) {
    envelope.kind = envelope.id.empty() ? Envelope::Kind::notification : Envelope::Kind::request;
    envelope.method = json_string_text(*method).value_or("");
    envelope.rest = params;
    return envelope;
  }
  if (envelope.id.empty() || (result.empty() && error.empty())) return malformed();
  envelope.kind = error.empty() ? Envelope::Kind::reply : Envelope::Kind::error;
  envelope.rest = error.empty() ? result : error;
  return envelope;
}

std::string request_body(std::string_view id, std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}"{}{}}})", id, method,
                     params.empty() ? "" : R"(,"params":)", params);
}

std::string notification_body(std::string_view method, std::string_view params) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":"{}"{}{}}})", method,
                     params.empty() ? "" : R"(,"params":)", params);
}

std::string cancel_body(std::string_view id) {
  return notification_body("$/cancelRequest", fmt::format(R"({{"id":{}}})", id));
}

std::string result_body(std::string_view id, std::string_view result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, result);
}

std::string error_body(std::string_view id, std::string_view error) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{}}})", id, error);
}

std::string error_json(int code, std::string_view message, std::string_view data) {
  return fmt::format(R"({{"code":{},"message":{}{}{}}})", code, json_string(message),
                     data.empty() ? "" : R"(,"data":)", data);
}

std::string did_open_notification(std::string_view uri, std::string_view language_id, std::int32_t version,
                                  std::string_view text) {
  return notification_body(
      "textDocument/didOpen",
      fmt::format(R"({{"textDocument":{{"uri":{},"languageId":{},"version":{},"text":{}}}}})",
                  json_string(uri), json_string(language_id), version, json_string(text)));
}

std::string did_change_notification(std::string_view uri, std::int32_t version, std::string_view text) {
  return notification_body(
      "textDocument/didChange",
      fmt::format(R"({{"textDocument":{{"uri":{},"version":{}}},"contentChanges":[{{"text":{}}}]}})",
                  json_string(uri), version, json_string(text)));
}

std::string did_close_notification(std::string_view uri) {
  return notification_body("textDocument/didClose",
                           fmt::format(R"({{"textDocument":{{"uri":{}}}}})", json_string(uri)));
}

std::string did_change_watched_files_notification(const std::vector<FileEvent>& events) {
  std::string changes;
  for (const FileEvent& event : events) {
    changes += fmt::format(R"({}{{"uri":{},"type":{}}})", changes.empty() ? "" : ",", json_string(event.uri),
                           static_cast<int>(event.type));
  }
  return notification_body("workspace/didChangeWatchedFiles", R"({"changes":[)" + changes + "]}");
}

}  // namespace symbols::lsp
