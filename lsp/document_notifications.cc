#include "lsp/document_notifications.h"

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

// From the body's start to behind the document's uri. `text_size` spares the body its regrowing.
std::string start_of(std::string_view method, std::string_view uri, std::size_t text_size) {
  std::string body;
  body.reserve(text_size + text_size / 16 + uri.size() + 200);
  body += R"({"jsonrpc":"2.0","method":"textDocument/)";
  body += method;
  body += R"(","params":{"textDocument":{"uri":)";
  append_json_string(body, uri);
  return body;
}

}  // namespace

std::string did_open_notification(std::string_view uri, std::string_view language_id, std::int32_t version,
                                  std::string_view text) {
  std::string body = start_of("didOpen", uri, text.size());
  body += ",\"languageId\":";
  append_json_string(body, language_id);
  body += ",\"version\":" + std::to_string(version) + ",\"text\":";
  append_json_string(body, text);
  body += "}}}";
  return body;
}

std::string did_change_notification(std::string_view uri, std::int32_t version, std::string_view text) {
  std::string body = start_of("didChange", uri, text.size());
  body += ",\"version\":" + std::to_string(version) + "},\"contentChanges\":[{\"text\":";
  append_json_string(body, text);
  body += "}]}}";
  return body;
}

std::string did_close_notification(std::string_view uri) {
  return start_of("didClose", uri, 0) + "}}}";
}

}  // namespace symbols::lsp
