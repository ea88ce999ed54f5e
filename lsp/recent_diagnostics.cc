#include "lsp/recent_diagnostics.h"

#include <iterator>
#include <optional>
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

}  // namespace

// The document, from now on the newest.
RecentDiagnostics::Document& RecentDiagnostics::newest(std::string_view uri) {
  std::string key = document_key(uri);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    documents_.splice(documents_.end(), documents_, known->second);
  } else {
    bytes_ += key.size();
    documents_.push_back({.key = std::move(key)});
    by_key_.emplace(documents_.back().key, std::prev(documents_.end()));
  }
  return documents_.back();
}

void RecentDiagnostics::forget_oldest() {
  while (bytes_ > most_bytes || documents_.size() > most_documents) {
    const Document& oldest = documents_.front();
    bytes_ -= oldest.key.size() + oldest.list.size();
    by_key_.erase(oldest.key);
    documents_.pop_front();
    forgot_any_ = true;
  }
}

void RecentDiagnostics::keep(std::string_view body) {
  publishes_ = true;
  const std::string_view params = member_value(body, "params").value_or("");
  const std::optional<std::string> uri = json_string_text(member_value(params, "uri").value_or(""));
  const std::optional<std::string_view> list = member_value(params, "diagnostics");
  if (!uri || !list) return;
  Document& document = newest(*uri);
  bytes_ = bytes_ - document.list.size() + list->size();
  std::string(*list).swap(document.list);  // not assigned: the memory of a longer one goes
  document.opened = document.changed = document.in_vain = false;
  forget_oldest();
}

void RecentDiagnostics::opened(std::string_view uri) {
  newest(uri).opened = true;
  changed(uri);
}

void RecentDiagnostics::changed(std::string_view uri) {
  Document& document = newest(uri);
  document.changed = true;
  document.in_vain = false;
  forget_oldest();
}

void RecentDiagnostics::waited_in_vain(std::string_view uri) {
  if (!publishes_) gave_up_ = true;
  newest(uri).in_vain = true;
  forget_oldest();
}

RecentDiagnostics::Last RecentDiagnostics::last(std::string_view uri) const {
  static const Document unheard_of;
  const auto known = by_key_.find(document_key(uri));
  const Document& document = known == by_key_.end() ? unheard_of : *known->second;
  const bool in_vain = document.in_vain || (gave_up_ && !publishes_);
  if (document.list.empty() && forgot_any_) {
    return {Error{"the server has published none for this document recently", {}},
            document.changed && !in_vain};
  }
  if (document.list.empty() || (document.opened && !first_element(document.list)))
    return {Error{"the server has published none for this document", {}}, !in_vain};
  return {std::string_view(document.list), document.changed && !in_vain};
}

}  // namespace symbols::lsp
