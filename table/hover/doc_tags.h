// Documentation tags (`@param`, `\return`) in prose: the tags stay, the dashes that servers put after them
// are removed.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

// `prose` (plain text, lines ended by '\n') without the dash after a parameter's name, and without the dash
// that TypeScript puts after any other tag, if the tag starts a line: `@param width - in mm` gives `@param
// width in mm`, `@since — 2.0` gives `@since 2.0`. Time is linear in the length of `prose`.
std::string drop_tag_dashes(std::string_view prose);

}  // namespace symbols::table
