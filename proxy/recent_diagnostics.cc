#include "proxy/recent_diagnostics.h"

#include <ranges>

#include "lsp/json.h"
#include "lsp/json_edit.h"
#include "lsp/uri.h"

namespace symbols::proxy {
namespace {

// Servers spell a document's URI in their own way (`c%3A` or `c:`).
bool is_same_document(std::string_view uri, std::string_view other) {
  if (uri == other) return true;
  const std::optional<std::string> path = lsp::file_path(uri);
  return path && path == lsp::file_path(other);
}

}  // namespace

void RecentDiagnostics::add(std::string_view body) {
  bodies_.emplace_back(body);
  bytes_ += body.size();
  while (bytes_ > most_bytes || bodies_.size() > most_messages) {
    bytes_ -= bodies_.front().size();
    bodies_.pop_front();
    forgot_some_ = true;
  }
}

void RecentDiagnostics::keep(std::string_view body) {
  if (body.size() > longest) {
    keep_none();
  } else {
    add(body);
  }
}

void RecentDiagnostics::keep_none() {
  add({});
}

Result<std::string_view> RecentDiagnostics::last(std::string_view uri) const {
  std::string storage;
  for (const std::string& body : bodies_ | std::views::reverse) {
    if (body.empty()) {
      return Error{"the last that the server has published may be in a list that was too long to be kept",
                   {}};
    }
    const auto params = lsp::member_value(body, "params");
    const auto about = params ? lsp::member_value(*params, "uri") : std::optional<std::string_view>();
    if (!about || about->size() < 2 || !about->starts_with('"')) continue;
    const std::string_view quoted = about->substr(1, about->size() - 2);
    if (!is_same_document(uri, lsp::unescape_json_string(quoted, storage))) continue;
    if (const auto list = lsp::member_value(*params, "diagnostics")) return *list;
  }
  if (forgot_some_) return Error{"the server has published none for this document of late", {}};
  return Error{"the server has published none for this document", {}};
}

}  // namespace symbols::proxy
