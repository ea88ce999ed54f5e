// Documentation tags (`@param`, `\return`) in prose: they stay, the dashes that servers put after them go.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

// `prose` (plain text, lines ended by '\n') without the dash after a parameter's name and the one that
// TypeScript puts after any other tag, where the tag starts a line: `@param width - in mm` gives `@param
// width in mm`, `@since — 2.0` gives `@since 2.0`. Time is linear in the length of `prose`.
std::string drop_tag_dashes(std::string_view prose);

}  // namespace symbols::table
