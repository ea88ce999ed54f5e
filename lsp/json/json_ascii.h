// Makes JSON pure ASCII without parsing it, for clients that count Content-Length in characters (cclsp) and
// hang at the first byte that is not ASCII.
#pragma once

#include <string>
#include <string_view>

namespace symbols::lsp {

// The raw JSON text with every non-ASCII character as `\uXXXX`, those beyond the BMP as a surrogate pair, and
// each byte that is not valid UTF-8 as `\ufffd`: the same value to every reader. Returns `json` itself if it
// is ASCII already, which is checked at the speed of memory; else a view of `storage`, which then holds the
// text. Valid JSON has such characters only in strings. Anywhere else, or after a backslash, they are
// replaced as well: the result is ASCII and not JSON either, or (`"\é"`) JSON of another meaning.
std::string_view ascii_json(std::string_view json, std::string& storage);

}  // namespace symbols::lsp
