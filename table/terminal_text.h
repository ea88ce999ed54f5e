// Messages on standard error quote file names and servers: what stands in them can steer no terminal and
// forge no line.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

// `text` in one line, with control characters, bidirectional controls and invalid bytes made visible
// (docs/spec.md, section 2). Backslashes stay, since parts of a message may be escaped already: for people,
// not to be read back.
std::string terminal_text(std::string_view text);

// The same for text of several lines, whose ends and tabs stay.
std::string terminal_lines(std::string_view text);

}  // namespace symbols::table
