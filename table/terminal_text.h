// Messages on standard error quote file names and servers. That text must not control the terminal or forge
// lines.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

// `text` in one line, with control characters, bidirectional controls and invalid bytes made visible
// (docs/spec.md, section 2). Backslashes stay, because parts of a message may be escaped already. The result
// is for people and is not read back.
std::string terminal_text(std::string_view text);

// The same for text of several lines; line ends and tabs stay.
std::string terminal_lines(std::string_view text);

}  // namespace symbols::table
