// Whether a path matches a pattern, in the language of gitignore(5): `?` `*` `**` `[…]` and `\`.
#pragma once

#include <string_view>

namespace symbols::files {

// Whether the whole of `path` matches the whole of `pattern`. Both are bytes; `path` has `/` between its
// parts and none at either end. `*`, `?` and `[…]` never match a `/`. `**` at the start or after a `/`, and
// at the end or before a `/`, matches any number of folders; elsewhere it is one `*`. In `[…]`: ranges, `!`
// or `^` first for the opposite, `[:alpha:]` and its kin for ASCII. A pattern that is cut short (`[a`, a last
// `\`) matches nothing. Takes no more than |pattern| · |path| steps for each `/` of the path, whatever the
// pattern.
bool ignore_glob_matches(std::string_view pattern, std::string_view path);

}  // namespace symbols::files
