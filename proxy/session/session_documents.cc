#include "proxy/session/session_documents.h"

#include <algorithm>
#include <utility>

#include "lsp/json/json_document.h"
#include "lsp/messages.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "proxy/query/query_services.h"

namespace symbols::session {

// --- of the client

void ClientDocuments::did_open(const std::string& uri, std::string_view params) {
  Document& document = documents_[uri];
  document.path = lsp::file_path(uri).value_or("");
  document.order = ++last_order_;
  const Result<rapidjson::Document> json = lsp::parse_json(params);
  const rapidjson::Value* const opened = json ? lsp::member(*json, "textDocument") : nullptr;
  if (opened == nullptr) return set_text(document, {});
  document.language_id = lsp::text_member(*opened, "languageId");
  document.version = 0;
  set_version(document, opened);
  set_text(document, lsp::string_member(*opened, "text"));
}

void ClientDocuments::did_change(const std::string& uri, std::string_view params) {
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return;
  Document& document = known->second;
  const Result<rapidjson::Document> json = lsp::parse_json(params);
  const rapidjson::Value* const changes = json ? lsp::member(*json, "contentChanges") : nullptr;
  if (json) set_version(document, lsp::member(*json, "textDocument"));
  if (changes == nullptr || !changes->IsArray()) return set_text(document, {});
  std::optional<std::string> text;
  // A caller of text() keeps the text that it was given.
  if (document.text) text = document.text.use_count() > 1 ? *document.text : std::move(*document.text);
  for (const rapidjson::Value& change : changes->GetArray()) apply(change, text);
  set_text(document, std::move(text));
}

void ClientDocuments::did_close(const std::string& uri) {
  if (const auto closed = documents_.extract(uri)) set_text(closed.mapped(), {});
}

bool ClientDocuments::is_file_open(std::string_view uri) const {
  if (is_open(uri)) return true;
  const std::optional<std::string> path = lsp::file_path(uri);
  return path && std::ranges::any_of(documents_, [&](const auto& one) { return one.second.path == path; });
}

std::shared_ptr<const std::string> ClientDocuments::text(std::string_view uri) const {
  const auto known = documents_.find(uri);
  return known == documents_.end() ? nullptr : known->second.text;
}

std::optional<std::string> ClientDocuments::did_open_again(std::string_view uri) const {
  const auto known = documents_.find(uri);
  if (known == documents_.end() || !known->second.text) return {};
  const Document& document = known->second;
  return lsp::did_open_notification(uri, document.language_id, document.version, *document.text);
}

std::map<std::uint64_t, std::string> ClientDocuments::in_order() const {
  std::map<std::uint64_t, std::string> uris;
  for (const auto& [uri, document] : documents_) uris.emplace(document.order, uri);
  return uris;
}

void ClientDocuments::set_version(Document& document, const rapidjson::Value* identifier) {
  const rapidjson::Value* const version = identifier ? lsp::member(*identifier, "version") : nullptr;
  if (version != nullptr && version->IsInt()) document.version = version->GetInt();
}

// Applies a TextDocumentContentChangeEvent. `text` is none if it is unknown, before or after.
void ClientDocuments::apply(const rapidjson::Value& change, std::optional<std::string>& text) const {
  const std::optional<std::string> new_text = lsp::string_member(change, "text");
  const rapidjson::Value* const member = lsp::member(change, "range");
  const std::optional<lsp::Range> range = lsp::read_range(member);
  if (new_text && (member == nullptr || member->IsNull())) {
    text = new_text;
  } else if (new_text && range && text) {
    lsp::apply_change(*text, *range, *new_text, encoding_);
  } else {
    text.reset();
  }
  if (text && text->size() > limits_.document_bytes) text.reset();
}

// None: the text is unknown from now on, as it is if it exceeds a limit.
void ClientDocuments::set_text(Document& document, std::optional<std::string> text) {
  bytes_ -= std::exchange(document.bytes, 0);
  document.text.reset();
  if (!text || text->size() > limits_.document_bytes || text->size() > limits_.bytes - bytes_) return;
  bytes_ += document.bytes = text->size();
  document.text = std::make_shared<std::string>(*std::move(text));
}

// --- of the session

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
  for (const auto& [order, uri] : client_.in_order()) {
    published_.opened(uri);
    if (std::optional<std::string> did_open = client_.did_open_again(uri)) {
      send(*std::move(did_open));
    } else {
      unopened_.insert(uri);
    }
  }
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
  return path && !files::is_there(*path);
}

}  // namespace symbols::session
