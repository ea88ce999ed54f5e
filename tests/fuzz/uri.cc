// File URIs (lsp/uri.h): a path becomes a URI that gives the path back, and whatever a client writes is a
// path or none.
// Covers: lsp/uri.cc
#include "lsp/uri.h"

#include <string>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz::uri_target {

void check_path(std::string_view path) {
  const std::string uri = lsp::file_uri(path);
  holds(uri.starts_with("file://"), "a file's URI is one");
  for (const char c : uri) {
    const auto byte = static_cast<unsigned char>(c);
    holds(byte > 0x20 && byte < 0x7F && c != '"' && c != '\\', "a URI needs no escapes in JSON");
  }
  const auto back = lsp::file_path(uri);
  holds(back.has_value(), "a file's URI has a path");
  same_text(*back, path, "a path comes back");
}

void uri(std::string_view data) {
  Input input(data);
  const bool is_path = input.flag();
  const std::string_view text = input.rest();
  if (is_path) {
    const std::string path = "/" + std::string(text);
    if (text.find('\0') == text.npos) check_path(path);
    return;
  }
  const auto path = lsp::file_path(text);
  if (!path) return;
  holds(!path->empty() && path->find('\0') == std::string::npos, "a path can be opened");
  // Of a relative one, or of another machine, nothing is said.
  if (path->starts_with('/') && !path->starts_with("//")) check_path(*path);
}

const Registration registration("uri", uri);

}  // namespace symbols::fuzz::uri_target
