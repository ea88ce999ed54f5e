// Documentation tags (`@param`, `\return`) in prose: the tags stay without the dashes that servers put after
// them; those that file a symbol away instead of describing it go.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

// `prose` (plain text, lines ended by '\n') without the dash after a parameter's name, and without the dash
// that TypeScript puts after any other tag, if the tag starts a line: `@param width - in mm` gives `@param
// width in mm`, `@default — 2` gives `@default 2`. Lines of
// `@since`, `@category`, `@author` and `@version` are left out, `@see`
// and `@sa` with nothing but an address, and the words `@brief`, `@short` and fmt's
// `\rst` and `\endrst`. Time is linear in the length of `prose`.
std::string tidy_tags(std::string_view prose);

}  // namespace symbols::table
