#include "lsp/recent_diagnostics.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/json_edit.h"
#include "lsp/json/json_elements.h"
#include "lsp/uri.h"

namespace symbols::lsp {
namespace {

// Equal for those URIs that are of one document, which servers may spell differently (`c%3A` or `c:`).
std::string document_key(std::string_view uri) {
  const std::optional<std::string> path = file_path(uri);
  return path ? 'p' + *path : 'u' + std::string(uri);
}

struct Publication {
  std::string document;   // its key
  std::string_view list;  // Diagnostic[], raw
};

// None if the body has no such members.
std::optional<Publication> read_publication(std::string_view body) {
  const std::string_view params = member_value(body, "params").value_or("");
  const std::optional<std::string> uri = json_string_text(member_value(params, "uri").value_or(""));
  const std::optional<std::string_view> list = member_value(params, "diagnostics");
  if (!uri || !list) return {};
  return Publication{document_key(*uri), *list};
}

}  // namespace

void RecentDiagnostics::add(Kind kind, std::string text) {
  // A document that is being typed into costs one entry.
  if (kind != Kind::published && !entries_.empty() && entries_.back().kind == kind &&
      entries_.back().text == text) {
    return;
  }
  bytes_ += text.size();
  entries_.push_back({kind, std::move(text)});
  if (entries_.size() >= entries_to_look_ || bytes_ >= bytes_to_look_) drop_superseded();
  forget_oldest(most_entries, most_bytes);
}

void RecentDiagnostics::forget_oldest(std::size_t entries, std::size_t bytes) {
  while (bytes_ > bytes || entries_.size() > entries) {
    bytes_ -= entries_.front().text.size();
    entries_.pop_front();
    forgot_some_ = true;
  }
}

// Keeps what last() may come to: of each document the newest publication, and the newest entry of each kind
// since.
void RecentDiagnostics::drop_superseded() {
  std::unordered_map<std::string, unsigned> seen;  // by document: a bit for each kind
  std::deque<Entry> needed;
  bytes_ = 0;
  for (; !entries_.empty(); entries_.pop_back()) {
    Entry& entry = entries_.back();
    const bool hides_all = entry.kind == Kind::too_long;
    if (!hides_all) {
      std::string document = entry.text;
      if (entry.kind == Kind::published) {
        std::optional<Publication> publication = read_publication(entry.text);
        if (!publication) continue;
        document = std::move(publication->document);
      }
      unsigned& kinds = seen[std::move(document)];
      const auto bit = [](Kind kind) { return 1U << static_cast<unsigned>(kind); };
      if ((kinds & (bit(Kind::published) | bit(entry.kind))) != 0) continue;
      kinds |= bit(entry.kind);
    }
    bytes_ += entry.text.size();
    needed.push_front(std::move(entry));
    if (hides_all) break;
  }
  entries_ = std::move(needed);
  // Where nearly all is needed, room for the next ones, so that a look pays for itself.
  forget_oldest(most_entries / 4 * 3, most_bytes / 4 * 3);
  entries_to_look_ = std::clamp(2 * entries_.size(), least_entries, most_entries);
  bytes_to_look_ = std::clamp(2 * bytes_, least_bytes, most_bytes);
}

void RecentDiagnostics::keep(std::string_view body) {
  if (body.size() > longest) {
    keep_none();
  } else {
    publishes_ = true;
    add(Kind::published, std::string(body));
  }
}

void RecentDiagnostics::keep_none() {
  publishes_ = true;
  add(Kind::too_long, {});
}

void RecentDiagnostics::opened(std::string_view uri) {
  add(Kind::opened, document_key(uri));
}

void RecentDiagnostics::changed(std::string_view uri) {
  add(Kind::changed, document_key(uri));
}

void RecentDiagnostics::waited_in_vain(std::string_view uri) {
  if (!publishes_) gave_up_ = true;
  add(Kind::waited_in_vain, document_key(uri));
}

RecentDiagnostics::Last RecentDiagnostics::last(std::string_view uri) const {
  const std::string document = document_key(uri);
  const Error none{"the server has published none for this document", {}};
  bool opened = false;
  bool changed = false;
  bool in_vain = gave_up_ && !publishes_;  // whatever the document; else since then
  for (auto newest = entries_.rbegin(); newest != entries_.rend(); ++newest) {
    const Entry& entry = *newest;
    if (entry.kind == Kind::too_long) {
      return {Error{"the server's last diagnostics may be in a list that was too long to be kept", {}},
              changed && !in_vain};
    }
    if (entry.kind == Kind::published) {
      const std::optional<Publication> publication = read_publication(entry.text);
      if (!publication || publication->document != document) continue;
      if (opened && !first_element(publication->list)) return {none, !in_vain};
      return {publication->list, changed && !in_vain};
    }
    if (entry.text != document) continue;
    if (entry.kind == Kind::waited_in_vain && !changed) in_vain = true;
    if (entry.kind == Kind::opened) opened = true;
    changed = changed || entry.kind != Kind::waited_in_vain;
  }
  if (forgot_some_)
    return {Error{"the server has published none for this document recently", {}}, changed && !in_vain};
  return {none, !in_vain};
}

}  // namespace symbols::lsp
