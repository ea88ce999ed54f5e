// Our lines in a user's configuration without members to set (init.el, kakrc, languages.toml): between two
// marks, so they can be recognised and replaced.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// `text` with `lines` (which end with a newline) between the marks `<comment> >>> symbols` and `<comment> <<<
// symbols`, replacing an existing block, else at the end. Line ends are those of the file. Error: the
// existing marks are not a pair, with their lines.
Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines);

// `text` without such a block, to check the rest; unchanged if there is none.
Result<std::string> without_marked_block(std::string_view text, std::string_view comment);

}  // namespace symbols::setup
