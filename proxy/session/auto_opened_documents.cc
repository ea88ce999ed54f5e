#include "proxy/session/auto_opened_documents.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "lsp/messages.h"
#include "lsp/uri.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::session {
namespace {

constexpr std::size_t max_over_limits = 4;

// The path of a file on this machine. A path that starts with two slashes is of another host (uri.h).
std::optional<std::string> local_path(std::string_view uri) {
  std::optional<std::string> path = lsp::file_path(uri);
  if (!path || !path->starts_with('/') || path->starts_with("//")) return {};
  return path;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace

AutoOpenedDocuments::AutoOpenedDocuments(const servers::ServerRegistry& registry,
                                         const servers::ServerSpec* server, AutoOpenLimits limits)
    : registry_(registry), server_(server), limits_(limits) {
  limits_.file_bytes = std::min(limits_.file_bytes, limits_.bytes);
}

// A file's text; none if it cannot be a document.
std::optional<std::string> AutoOpenedDocuments::read(const std::string& path) const {
  Result<std::string> bytes = files::read_regular_file(path, limits_.file_bytes);
  if (!bytes) return {};
  Result<files::SourceText> source = files::decode_source_text(*std::move(bytes), path);
  if (!source) return {};
  return std::move(source->text);
}

AutoOpenedDocuments::Notifications AutoOpenedDocuments::prepare(std::string_view uri) {
  Notifications notifications;
  ++uses_;
  if (const auto known = documents_.find(uri); known != documents_.end()) {
    compare(known, notifications);
  } else if (const std::optional<std::string> path = local_path(uri)) {
    open(uri, *path, notifications);
  }
  return notifications;
}

void AutoOpenedDocuments::open(std::string_view uri, const std::string& path, Notifications& notifications) {
  const std::optional<std::string> text = read(path);
  if (!text) return;
  const std::string language = registry_.language_id(std::filesystem::path(path), first_line(*text), server_);
  // A server that gets a wrong language reads the text as something that it is not, which is worse than its
  // own way with a document that is not open.
  if (language.empty()) return;

  close_file(path, notifications);
  close_least_used(1, text->size(), {}, notifications);
  if (documents_.size() >= limits_.documents * max_over_limits ||
      bytes_ + text->size() > limits_.bytes * max_over_limits) {
    return;
  }
  documents_.emplace(
      uri,
      Document{.path = path, .size = text->size(), .hash = std::hash<std::string>{}(*text), .used = uses_});
  bytes_ += text->size();
  notifications.push_back(lsp::did_open_notification(uri, language, 1, *text));
}

void AutoOpenedDocuments::compare(Documents::iterator known, Notifications& notifications) {
  Document& document = known->second;
  document.used = uses_;
  const std::optional<std::string> text = read(document.path);
  if (!text) return close(known, notifications);
  const std::size_t hash = std::hash<std::string>{}(*text);
  if (text->size() == document.size && hash == document.hash) return;
  bytes_ = bytes_ - document.size + text->size();
  document.size = text->size();
  document.hash = hash;
  ++document.version;
  close_least_used(0, 0, known->first, notifications);
  notifications.push_back(lsp::did_change_notification(known->first, document.version, *text));
}

bool AutoOpenedDocuments::hold(std::string_view uri) {
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return false;
  ++known->second.holds;
  return true;
}

void AutoOpenedDocuments::let_go(std::string_view uri) {
  const auto known = documents_.find(uri);
  if (known != documents_.end() && known->second.holds > 0) --known->second.holds;
}

AutoOpenedDocuments::Notifications AutoOpenedDocuments::release(std::string_view uri) {
  Notifications notifications;
  if (const std::optional<std::string> path = local_path(uri)) close_file(*path, notifications);
  return notifications;
}

void AutoOpenedDocuments::forget(std::string_view uri) {
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return;
  bytes_ -= known->second.size;
  documents_.erase(known);
}

void AutoOpenedDocuments::forget_all() {
  documents_.clear();
  bytes_ = 0;
}

std::shared_ptr<const std::string> AutoOpenedDocuments::text(std::string_view uri) const {
  const auto known = documents_.find(uri);
  if (known == documents_.end()) return nullptr;
  std::optional<std::string> text = read(known->second.path);
  if (!text || text->size() != known->second.size || std::hash<std::string>{}(*text) != known->second.hash) {
    return nullptr;
  }
  return std::make_shared<const std::string>(*std::move(text));
}

void AutoOpenedDocuments::close(Documents::iterator document, Notifications& notifications) {
  notifications.push_back(lsp::did_close_notification(document->first));
  bytes_ -= document->second.size;
  documents_.erase(document);
}

void AutoOpenedDocuments::close_file(const std::string& path, Notifications& notifications) {
  for (auto next = documents_.begin(); next != documents_.end();) {
    const auto document = next++;
    if (document->second.path == path) close(document, notifications);
  }
}

// Makes room for more documents and bytes, as far as documents may be closed.
void AutoOpenedDocuments::close_least_used(std::size_t documents, std::size_t bytes, std::string_view but,
                                           Notifications& notifications) {
  while (documents_.size() + documents > limits_.documents || bytes_ + bytes > limits_.bytes) {
    auto least = documents_.end();
    for (auto document = documents_.begin(); document != documents_.end(); ++document) {
      if (document->second.holds > 0 || document->first == but) continue;
      if (least == documents_.end() || document->second.used < least->second.used) least = document;
    }
    if (least == documents_.end()) return;
    close(least, notifications);
  }
}

}  // namespace symbols::session
