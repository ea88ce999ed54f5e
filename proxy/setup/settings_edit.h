// Sets a member in a user's settings file, in the file's layout. Indentation, line ends, comments and every
// byte outside the member stay, except spaces before a brace that gets its own line. (lsp/json/json_edit.h
// edits messages, which have no layout and no comments.)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// In all functions, `value` is JSON in one line, or in several with two spaces per level, and starts with its
// first line; `indent` is the indentation of the line in which it starts. Errors name the position in the
// file (LINE:COLUMN), or the member of another type; nothing was edited then.

struct SettingValue {
  std::string_view json;
  std::size_t indent = 0;
};

enum class WhenThere { replace, keep };

// Sets the value at the end of a path of names in the object that begins at `start` of `text`. Missing
// objects on the path are created; a member of another type, or a duplicate, is an error. The text is
// unchanged if the old value differs only in whitespace and comments.
Result<std::string> with_setting(std::string_view text, JsonDialect dialect,
                                 std::span<const std::string_view> path, SettingValue value,
                                 WhenThere when_there = WhenThere::replace, std::size_t start = 0);

// Whether there is a value of any type at the end of the path. False if the text is not JSON, or names a
// member of the path twice.
bool has_setting(std::string_view text, JsonDialect dialect, std::span<const std::string_view> path);

// Sets an object as an element of the array at the end of the path, which is created if missing. If an
// element has the same value in its member `key`, or at least one of its strings and a `command` with the
// same program, the members of the object are set in that element. It is also an error if `key` is an array
// and another element has some of its values, because only one of the two would ever be used.
Result<std::string> with_element(std::string_view text, JsonDialect dialect,
                                 std::span<const std::string_view> path, std::string_view key,
                                 SettingValue value);

}  // namespace symbols::setup
