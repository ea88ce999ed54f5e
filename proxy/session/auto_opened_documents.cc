#include "proxy/session/auto_opened_documents.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "lsp/messages.h"
#include "lsp/uri.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::session {
namespace {

constexpr std::size_t most_over_limits = 4;

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

// A file's text and the stamp that belongs to it.
struct AutoOpenedDocuments::Text {
  std::optional<std::string> text;  // none where the file cannot be a document
  files::FileStamp stamp{};
  bool trusted = false;
};

AutoOpenedDocuments::AutoOpenedDocuments(const servers::ServerRegistry& registry,
                                         const servers::ServerSpec* server, AutoOpenLimits limits,
                                         std::function<std::int64_t()> now)
    : registry_(registry), server_(server), limits_(limits), now_(std::move(now)) {
  limits_.file_bytes = std::min(limits_.file_bytes, limits_.bytes);
}

AutoOpenedDocuments::Text AutoOpenedDocuments::read(const std::string& path) const {
  // The stamp before the text: where the file changes in between, the stamp is the older one, differs the
  // next time, and the text is read again.
  const std::int64_t looked = now_();
  const std::optional<files::FileStamp> stamp = files::FileStamp::of(path);
  if (!stamp) return {};
  Result<std::string> bytes = files::read_regular_file(path, limits_.file_bytes);
  if (!bytes) return {};
  Result<files::SourceText> source = files::decode_source_text(*std::move(bytes), path);
  if (!source) return {};
  return {std::move(source->text), *stamp, !stamp->may_change_unseen(looked)};
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
  const Text file = read(path);
  if (!file.text) return;
  const std::string language =
      registry_.language_id(std::filesystem::path(path), first_line(*file.text), server_);
  // A server that is given a wrong language reads the text as something that it is not, which is worse than
  // its own way with a document that is not open.
  if (language.empty()) return;

  close_file(path, notifications);
  close_least_used(1, file.text->size(), {}, notifications);
  if (documents_.size() >= limits_.documents * most_over_limits ||
      bytes_ + file.text->size() > limits_.bytes * most_over_limits) {
    return;
  }
  documents_.emplace(uri, Document{.path = path,
                                   .stamp = file.stamp,
                                   .trusted = file.trusted,
                                   .size = file.text->size(),
                                   .hash = std::hash<std::string>{}(*file.text),
                                   .used = uses_});
  bytes_ += file.text->size();
  notifications.push_back(lsp::did_open_notification(uri, language, 1, *file.text));
}

void AutoOpenedDocuments::compare(Documents::iterator known, Notifications& notifications) {
  Document& document = known->second;
  document.used = uses_;
  if (document.trusted && files::FileStamp::of(document.path) == document.stamp) return;

  const Text file = read(document.path);
  if (!file.text) {
    close(known, notifications);
    return;
  }
  document.stamp = file.stamp;
  document.trusted = file.trusted;
  const std::size_t hash = std::hash<std::string>{}(*file.text);
  if (file.text->size() == document.size && hash == document.hash) return;

  bytes_ = bytes_ - document.size + file.text->size();
  document.size = file.text->size();
  document.hash = hash;
  ++document.version;
  close_least_used(0, 0, known->first, notifications);
  notifications.push_back(lsp::did_change_notification(known->first, document.version, *file.text));
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
  Text file = read(known->second.path);
  if (!file.text || file.text->size() != known->second.size ||
      std::hash<std::string>{}(*file.text) != known->second.hash) {
    return nullptr;
  }
  return std::make_shared<const std::string>(*std::move(file.text));
}

void AutoOpenedDocuments::close(Documents::iterator document, Notifications& notifications) {
  notifications.push_back(lsp::did_close_notification(document->first));
  bytes_ -= document->second.size;
  documents_.erase(document);
}

// Of the few documents there are, each is looked at: an index by path would be as long as this.
void AutoOpenedDocuments::close_file(const std::string& path, Notifications& notifications) {
  for (auto next = documents_.begin(); next != documents_.end();) {
    const auto document = next++;
    if (document->second.path == path) close(document, notifications);
  }
}

// Makes room for so many documents and bytes more, as far as documents may be closed.
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
