#include "lsp/uri.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/number.h"

namespace symbols::lsp {
namespace {

// RFC 3986's unreserved characters.
bool is_unreserved(char c) {
  return is_word(c) || c == '-' || c == '.' || c == '~';
}

bool starts_with_drive(std::string_view path) {
  return path.size() >= 2 && is_letter(path[0]) && path[1] == ':' &&
         (path.size() == 2 || path[2] == '/' || path[2] == '\\');
}

void append_encoded(std::string& out, std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : path) {
    if (is_unreserved(c) || c == '/') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4], digits[byte & 0xF]};
    }
  }
}

}  // namespace

std::string file_uri(std::string_view absolute_path) {
  std::string path(absolute_path);
  std::string uri = "file://";
  if (starts_with_drive(path)) {
    std::replace(path.begin(), path.end(), '\\', '/');
    path[0] = lower_case(path[0]);
    uri += '/';
  } else if (path.starts_with("\\\\")) {
    std::replace(path.begin(), path.end(), '\\', '/');
    path.erase(0, 2);  // the host is in the place of a URI's authority
  }
  append_encoded(uri, path);
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
  if (path.starts_with('/') && starts_with_drive(std::string_view(path).substr(1))) path.erase(0, 1);
  if (path.empty()) return {};
  return path;
}

}  // namespace symbols::lsp
