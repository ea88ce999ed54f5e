#include "proxy/session/auto_opened_documents.h"

#include <utility>

#include "base/filesystem.h"
#include "lsp/messages.h"
#include "lsp/uri.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::session {
namespace {

constexpr std::size_t max_over_limit = 4;

// The path of a file on this machine. A path that starts with two slashes is of another host (uri.h).
std::optional<std::string> local_path(std::string_view uri) {
  std::optional<std::string> path = lsp::file_path(uri);
  if (!path || !path->starts_with('/') || path->starts_with("//")) return {};
  return path;
}

}  // namespace

AutoOpenedDocuments::AutoOpenedDocuments(const servers::ServerRegistry& registry,
                                         const servers::ServerSpec* server, AutoOpenLimits limits)
    : registry_(registry), server_(server), limits_(limits) {}

// A file's text; none if it cannot be a document.
std::optional<std::string> AutoOpenedDocuments::read(const std::string& path) const {
  Result<std::string> bytes = files::read_regular_file(path, limits_.file_bytes);
  if (!bytes) return {};
  Result<files::SourceText> source = files::decode_source_text(*std::move(bytes), path);
  if (!source) return {};
  return std::move(source->text);
}

AutoOpenedDocuments::Documents::const_iterator AutoOpenedDocuments::find(std::string_view uri) const {
  const std::optional<std::string> path = local_path(uri);
  const auto known = path ? documents_.find(*path) : documents_.end();
  return known != documents_.end() && known->second.uri == uri ? known : documents_.end();
}

AutoOpenedDocuments::Notifications AutoOpenedDocuments::prepare(std::string_view uri) {
  Notifications notifications;
  const std::optional<std::string> path = local_path(uri);
  if (!path) return notifications;
  ++uses_;
  const std::optional<std::string> text = read(*path);
  auto known = documents_.find(*path);
  if (known != documents_.end() && (!text || known->second.uri != uri)) {
    close(known, notifications);
    known = documents_.end();
  }
  if (!text) return notifications;
  const std::size_t hash = std::hash<std::string>{}(*text);
  if (known == documents_.end()) {
    const std::string language =
        registry_.language_id(fs::path(*path), text->substr(0, text->find_first_of("\r\n")), server_);
    // A server that gets a wrong language reads the text as something that it is not, which is worse than its
    // own way with a document that is not open.
    if (language.empty()) return notifications;
    make_room(notifications);
    if (documents_.size() >= limits_.documents * max_over_limit) return notifications;
    documents_.emplace(*path, Document{.uri = std::string(uri), .hash = hash, .used = uses_});
    notifications.push_back(lsp::did_open_notification(uri, language, 1, *text));
    return notifications;
  }
  Document& document = known->second;
  document.used = uses_;
  if (std::exchange(document.hash, hash) != hash)
    notifications.push_back(lsp::did_change_notification(uri, ++document.version, *text));
  return notifications;
}

std::shared_ptr<void> AutoOpenedDocuments::hold(std::string_view uri) const {
  const auto known = find(uri);
  return known == documents_.end() ? nullptr : known->second.held;
}

AutoOpenedDocuments::Notifications AutoOpenedDocuments::release(std::string_view uri) {
  Notifications notifications;
  const std::optional<std::string> path = local_path(uri);
  if (const auto known = path ? documents_.find(*path) : documents_.end(); known != documents_.end())
    close(known, notifications);
  return notifications;
}

void AutoOpenedDocuments::forget(std::string_view uri) {
  if (const auto known = find(uri); known != documents_.end()) documents_.erase(known);
}

std::shared_ptr<const std::string> AutoOpenedDocuments::text(std::string_view uri) const {
  const auto known = find(uri);
  if (known == documents_.end()) return nullptr;
  std::optional<std::string> text = read(known->first);
  if (!text || std::hash<std::string>{}(*text) != known->second.hash) return nullptr;
  return std::make_shared<const std::string>(*std::move(text));
}

void AutoOpenedDocuments::close(Documents::const_iterator document, Notifications& notifications) {
  notifications.push_back(lsp::did_close_notification(document->second.uri));
  documents_.erase(document);
}

// Closes the least recently prepared documents that are not held until there is room for one more.
void AutoOpenedDocuments::make_room(Notifications& notifications) {
  while (documents_.size() >= limits_.documents) {
    auto least = documents_.end();
    for (auto document = documents_.begin(); document != documents_.end(); ++document) {
      if (document->second.held.use_count() > 1) continue;
      if (least == documents_.end() || document->second.used < least->second.used) least = document;
    }
    if (least == documents_.end()) return;
    close(least, notifications);
  }
}

}  // namespace symbols::session
