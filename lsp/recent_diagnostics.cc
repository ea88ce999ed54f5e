#include "lsp/recent_diagnostics.h"

#include <algorithm>
#include <optional>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
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
  const auto [known, is_new] = documents_.try_emplace(document_key(uri));
  if (is_new) bytes_ += document_bytes + known->first.size();
  known->second.heard = ++last_heard_;
  return known->second;
}

void RecentDiagnostics::forget_oldest() {
  while (bytes_ > max_bytes) {
    const auto oldest =
        std::ranges::min_element(documents_, {}, [](const auto& one) { return one.second.heard; });
    bytes_ -= document_bytes + oldest->first.size() + oldest->second.list.size();
    documents_.erase(oldest);
    forgot_any_ = true;
  }
}

void RecentDiagnostics::keep(std::string_view body) {
  publishes_ = true;
  gave_up_ = false;
  const std::string_view params = member_value(body, "params").value_or("");
  const std::optional<std::string> uri = json_string_text(member_value(params, "uri").value_or(""));
  const std::optional<std::string_view> list = member_value(params, "diagnostics");
  if (!uri || !list) return;
  Document& document = newest(*uri);
  bytes_ = bytes_ - document.list.size() + list->size();
  std::string(*list).swap(document.list);  // not assigned: the memory of a longer one goes
  document.opened = document.awaited = false;
  document.of_file = are_versioned_ && !member_value(params, "version");
  has_versioned_ = has_versioned_ || !document.of_file;
  forget_oldest();
}

void RecentDiagnostics::opened(std::string_view uri) {
  newest(uri).opened = true;
  changed(uri);
}

void RecentDiagnostics::changed(std::string_view uri) {
  newest(uri).awaited = true;
  forget_oldest();
}

void RecentDiagnostics::waited_in_vain(std::string_view uri) {
  gave_up_ = !publishes_;
  newest(uri).awaited = false;
  forget_oldest();
}

RecentDiagnostics::Last RecentDiagnostics::last(std::string_view uri, bool is_files) const {
  const auto known = documents_.find(document_key(uri));
  const bool is_known = known != documents_.end();
  if (is_known && known->second.of_file && !is_files)
    return {Error{"the server has published none for this text", {}}, true};
  const bool awaited = !gave_up_ && (is_known ? known->second.awaited : !forgot_any_);
  if (is_known && !known->second.list.empty() && (!known->second.opened || first_element(known->second.list)))
    return {std::string_view(known->second.list), awaited};
  return {Error{forgot_any_ ? "the server has published none for this document recently"
                            : "the server has published none for this document",
                {}},
          awaited};
}

}  // namespace symbols::lsp
