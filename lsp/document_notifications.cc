#include "lsp/document_notifications.h"

#include "lsp/json/json.h"
#include "lsp/json_rpc.h"

namespace symbols::lsp {
namespace {

// The params up to the document's uri. `text_size` is reserved for the text.
std::string params_of(std::string_view uri, std::size_t text_size) {
  std::string params;
  params.reserve(text_size + text_size / 16 + uri.size() + 200);
  params += R"({"textDocument":{"uri":)";
  append_json_string(params, uri);
  return params;
}

}  // namespace

std::string did_open_notification(std::string_view uri, std::string_view language_id, std::int32_t version,
                                  std::string_view text) {
  std::string params = params_of(uri, text.size());
  params += ",\"languageId\":";
  append_json_string(params, language_id);
  params += ",\"version\":" + std::to_string(version) + ",\"text\":";
  append_json_string(params, text);
  params += "}}";
  return notification_body("textDocument/didOpen", params);
}

std::string did_change_notification(std::string_view uri, std::int32_t version, std::string_view text) {
  std::string params = params_of(uri, text.size());
  params += ",\"version\":" + std::to_string(version) + "},\"contentChanges\":[{\"text\":";
  append_json_string(params, text);
  params += "}]}";
  return notification_body("textDocument/didChange", params);
}

std::string did_close_notification(std::string_view uri) {
  return notification_body("textDocument/didClose", params_of(uri, 0) + "}}");
}

std::string did_change_watched_files_notification(const std::vector<FileEvent>& events) {
  std::string params = R"({"changes":[)";
  for (const FileEvent& event : events) {
    params += params.back() == '[' ? "{\"uri\":" : ",{\"uri\":";
    append_json_string(params, event.uri);
    params += ",\"type\":" + std::to_string(static_cast<int>(event.type)) + '}';
  }
  return notification_body("workspace/didChangeWatchedFiles", params + "]}");
}

}  // namespace symbols::lsp
