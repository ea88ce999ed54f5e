// Lines of ours in somebody's own configuration that has no members to put a value into (init.el, kakrc,
// languages.toml): between two marks, so that they can be told from theirs and be replaced.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

// `text` with `lines` (which end with a newline) between the marks `<comment> >>> symbols` and `<comment> <<<
// symbols`, in the place of such a block that is there, else at the end. Line ends are those of the file.
// Error: the marks that are there are no pair, with their lines.
Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines);

// `text` without such a block, for what looks at the rest; as it is where there is none.
Result<std::string> without_marked_block(std::string_view text, std::string_view comment);

}  // namespace symbols::setup
