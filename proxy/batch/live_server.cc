#include "proxy/batch/live_server.h"

#include <algorithm>

#include "lsp/uri.h"
#include "proxy/batch/change_effect.h"
#include "proxy/files/source_text.h"

namespace symbols::batch {

bool LiveServer::open(const std::string& path, const std::string& language_id, const std::string& settings,
                      const std::string& text, std::size_t max_documents) {
  lsp::ClientSession& session = connection.session();
  const std::string uri = lsp::file_uri(path);
  if (const auto known = documents.find(path); known != documents.end()) {
    Document& document = known->second;
    document.last_used = ++uses;
    const bool same = document.text == text;
    if (!document.stale && document.settings == settings &&
        (same || takes_by_did_change(key.first, document.text, text))) {
      if (!same) session.change(uri, ++document.version, text);
      document.text = text;
      return false;
    }
    close(path);
  }
  if (documents.size() >= max_documents) {
    const auto last_used = [](const auto& entry) { return entry.second.last_used; };
    close(std::string(std::ranges::min_element(documents, {}, last_used)->first));
  }
  if (!settings.empty()) {
    session.notify("workspace/didChangeConfiguration", R"({"settings":)" + settings + '}');
  }
  session.open(uri, language_id, text);
  documents.emplace(path, Document{.text = text, .settings = settings, .last_used = ++uses});
  return true;
}

void LiveServer::close(const std::string& path) {
  connection.session().close(lsp::file_uri(path));
  documents.erase(path);
}

std::optional<std::vector<std::string>> LiveServer::open_mentions(
    servers::Mentions found, const std::function<bool(const std::string& path)>& is_asked_about) {
  for (const std::string& path : found.to_open) {
    if (documents.contains(path) || mentions.contains(path) || is_asked_about(path)) continue;
    if (const auto text = files::read_source_file(path, path, files::Symlinks::refuse)) {
      mentions.insert(path);
      connection.session().open(lsp::file_uri(path), servers::language_of(path), text->text);
    } else {
      found.to_find.push_back(path);
    }
  }
  if (!found.are_all) return {};
  return std::move(found.to_find);
}

void LiveServer::close_mentions() {
  for (const std::string& path : mentions) connection.session().close(lsp::file_uri(path));
  mentions.clear();
}

}  // namespace symbols::batch
