// Our lines in a user's configuration without members to set (init.el, kakrc, languages.toml): between two
// marks, so they can be recognised and replaced.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// `text` with `lines` (which end with a newline) between the marks `<comment> >>> symbols` and `<comment> <<<
// symbols`, replacing an existing block, else at the end. Line ends are those of the file. Error, with the
// line: the existing marks are not one pair, or `lines` open a TOML table, `[a.b]`, that the file has
// already.
Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines);

}  // namespace symbols::setup
