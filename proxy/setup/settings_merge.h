// Merges the shipped settings into a user's settings file. Indentation, line ends, comments and every byte of
// the user's own members stay, except whitespace in an empty object. (lsp/json/raw_json.h edits messages,
// which have no layout and no comments.)
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// `users` with the members of `shipped`, which is plain JSON with two spaces per level. A blank text becomes
// the shipped one. Merging again does not change the result.
//
//   an object     its members are merged one by one; missing ones become the first of the user's object
//   objects in    the first member of ours identifies an element: one of the user's with the same value gets
//   an array      our members, or one with some of its strings and a `command` with the same program
//   any other     replaces the user's, unless it differs only in whitespace and comments
//
// Errors name the position in the file (LINE:COLUMN), or the member of another type: the file is not JSON, a
// member is not an object or array as ours is, or is there twice, an element has some of the strings that
// identify ours and not this program.
Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped);

// For a configuration without members to set (init.el, kakrc, languages.toml): `text` with `lines` (which end
// with a newline) between the marks `<comment> >>> symbols` and `<comment> <<< symbols`, replacing an
// existing block, else at the end. Line ends are those of the file. Error, with the line: the existing marks
// are not one pair, or `lines` open a TOML table, `[a.b]`, that the file has already.
Result<std::string> with_marked_block(std::string_view text, std::string_view comment,
                                      std::string_view lines);

}  // namespace symbols::setup
