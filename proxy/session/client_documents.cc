#include "proxy/session/client_documents.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lsp/json/json_document.h"
#include "lsp/messages.h"
#include "lsp/uri.h"

namespace symbols::session {
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
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return;
  set_text(known->second, {});
  documents_.erase(known);
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

void ClientDocuments::open_again(
    const std::function<void(const std::string&, std::optional<std::string>)>& visit) const {
  std::map<std::uint64_t, std::string> uris;
  for (const auto& [uri, document] : documents_) uris.emplace(document.order, uri);
  for (const auto& [order, uri] : uris) visit(uri, did_open_again(uri));
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
    lsp::apply_change(*text, range, *new_text, encoding_);
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

}  // namespace symbols::session
