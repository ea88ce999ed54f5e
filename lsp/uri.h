// File URIs as language servers and editors write them (RFC 8089; LSP 3.17, "URI").
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// The file URI of an absolute path: every byte except unreserved characters and '/' is percent-encoded
// (spaces, '%', '#', non-ASCII).
std::string file_uri(std::string_view absolute_path);

// The path of a file URI, decoded, without query and fragment; `//host/a` for one on another host. None if it
// is not a file URI, an escape is invalid, or there is a NUL byte, escaped or not.
std::optional<std::string> file_path(std::string_view uri);

}  // namespace symbols::lsp
