// Merges the shipped settings into a user's settings file, which is JSON, in editors with comments and
// trailing commas. Indentation, line ends, comments and every byte of the user's own members stay, except
// whitespace in an empty object. (lsp/json/raw_json.h edits messages, which have no layout and no comments.)
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::setup {

enum class JsonDialect {
  strict,        // as in RFC 8259
  with_comments  // also `//` and `/* */`, and a comma after the last member or element
};

// `text` as plain JSON of the same length: comments, trailing commas and a byte order mark are spaces. Error:
// it is invalid, as "LINE:COLUMN: reason" (both from 1, the column in bytes).
Result<std::string> read_jsonc(std::string_view text, JsonDialect dialect);

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

}  // namespace symbols::setup
