#include "proxy/session/session_documents.h"

#include <filesystem>
#include <utility>

#include "lsp/uri.h"
#include "proxy/query/query_services.h"

namespace symbols::session {

SessionDocuments::Change SessionDocuments::notified(std::string_view method, std::string_view params) {
  Change change;
  change.workspace = method.starts_with("textDocument/did") || method.starts_with("workspace/did");
  const std::optional<std::string> uri = change.workspace ? query::document_uri(params) : std::nullopt;
  if (!uri) return change;
  const bool unopened = unopened_.contains(*uri);
  if (method == "textDocument/didOpen") {
    client_.did_open(*uri, params);
    unopened_.erase(*uri);
    change.to_server = opened_.release(*uri);
    published_.opened(*uri);
    // There are no requests about one that is new.
    if (!change.to_server.empty()) change.document = uri;
  } else if (method == "textDocument/didChange") {
    client_.did_change(*uri, params);
    change.document = uri;
    published_.changed(*uri);
    if (unopened) {
      change.passes = false;
      if (auto did_open = client_.did_open_again(*uri)) {
        change.to_server.push_back(std::move(*did_open));
        unopened_.erase(*uri);
      }
    }
  } else if (method == "textDocument/didClose") {
    client_.did_close(*uri);
    change.document = uri;
    opened_.forget(*uri);
    change.passes = unopened_.erase(*uri) == 0;
  } else if (method == "textDocument/didSave") {
    change.passes = !unopened;
  }
  return change;
}

std::vector<std::string> SessionDocuments::open_again(const std::function<void(std::string)>& send) {
  opened_.forget_all();
  unopened_.clear();
  client_.open_again([&](const std::string& uri, std::optional<std::string> did_open) {
    published_.opened(uri);
    if (did_open) {
      send(std::move(*did_open));
    } else {
      unopened_.insert(uri);
    }
  });
  return {unopened_.begin(), unopened_.end()};
}

SessionDocuments::Change SessionDocuments::open_for_request(std::string_view uri) {
  if (client_.is_file_open(uri)) return {};
  const bool was_open = opened_.is_open(uri);
  std::vector<std::string> notifications = opened_.prepare(uri);
  if (notifications.empty()) return {};
  if (was_open) {
    published_.changed(uri);
  } else if (opened_.is_open(uri)) {
    published_.opened(uri);
  }
  // A document that the server learns of, or a change of one, may change what it says of others.
  return {.to_server = std::move(notifications), .workspace = true, .document = std::string(uri)};
}

std::shared_ptr<const std::string> SessionDocuments::text(std::string_view uri) {
  return client_.is_open(uri) ? client_.text(uri) : opened_.text(uri);
}

bool SessionDocuments::is_unknown(std::string_view uri) const {
  if (client_.is_file_open(uri) || opened_.is_open(uri)) return false;
  const std::optional<std::string> path = lsp::file_path(uri);
  std::error_code ignored;
  return path && !std::filesystem::exists(*path, ignored);
}

}  // namespace symbols::session
