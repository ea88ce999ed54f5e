// File URIs as language servers and editors write them (RFC 8089; LSP 3.17, "URI").
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// The file URI of an absolute path: every byte but unreserved characters and '/' percent-encoded (blanks,
// '%', '#', non-ASCII). A Windows path (`C:\a`, `C:/a`) gives `file:///c%3A/a`, as VS Code writes it; a UNC
// path (`\\host\share`) `file://host/share`.
std::string file_uri(std::string_view absolute_path);

// The path of a file URI, escapes undone, query and fragment dropped; `/c:/a` reads as the drive path `c:/a`.
// None where it is no file URI, or an escape is broken or gives a NUL byte.
std::optional<std::string> file_path(std::string_view uri);

}  // namespace symbols::lsp
