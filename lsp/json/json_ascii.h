// JSON as pure ASCII without a look at its structure, for clients that count Content-Length in characters
// (cclsp) and hang at the first byte that is none.
#pragma once

#include <string>
#include <string_view>

namespace symbols::lsp {

// The raw JSON text with every character beyond ASCII as `\uXXXX`, those beyond the BMP as a surrogate pair,
// and each byte that is not valid UTF-8 as `\ufffd`: the same value to every reader. `json` itself where it
// is ASCII already, which is found out at the memory's speed; else a view of `storage`, which then holds the
// text. JSON has such characters within strings alone. Elsewhere, or behind a backslash, the text is no JSON,
// and they are replaced all the same: what comes out is ASCII and no JSON either, or (`"\é"`) JSON of another
// meaning.
std::string_view ascii_json(std::string_view json, std::string& storage);

}  // namespace symbols::lsp
