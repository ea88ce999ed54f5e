#include "lsp/uri.h"

#include <algorithm>

#include "base/text.h"

namespace symbols::lsp {

std::string file_uri(std::string_view absolute_path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view unreserved = "-.~/";  // with letters, digits and `_` (RFC 3986)
  std::string uri = "file://";
  for (const char c : absolute_path) {
    if (is_word(c) || unreserved.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', digits[byte >> 4], digits[byte & 0xF]};
    }
  }
  return uri;
}

std::optional<std::string> file_path(std::string_view uri) {
  constexpr std::string_view scheme = "file:";
  if (!std::ranges::equal(uri.substr(0, scheme.size()), scheme, {}, lower_case)) return {};
  uri.remove_prefix(scheme.size());
  uri = uri.substr(0, uri.find_first_of("?#"));
  if (uri.find('\0') != std::string_view::npos) return {};
  std::string_view host;
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    host = uri.substr(0, uri.find('/'));
    uri.remove_prefix(host.size());
  }
  std::string path;
  if (!host.empty() && host != "localhost") path.append("//").append(host);
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    if (i + 2 >= uri.size()) return {};
    const auto byte = whole_number<unsigned char>(uri.substr(i + 1, 2), 16).value_or(0);
    if (byte == 0) return {};
    path += static_cast<char>(byte);
    i += 2;
  }
  if (path.empty()) return {};
  return path;
}

}  // namespace symbols::lsp
