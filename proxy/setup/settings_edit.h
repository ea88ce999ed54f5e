// A member put into a settings file of somebody's own, in the way that the file is laid out: its indentation,
// its line ends, its comments and every byte that is not part of the member stay, but for whitespace before a
// brace that gets a line of its own. (lsp/json/json_edit.h edits messages, which nobody reads and which have
// no comments.)
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// Throughout: `value` is JSON, laid out over lines with two whitespace a level or in one line, whose first
// line starts where the value does; `indent` is the number of whitespace before the line that it starts in.
// Errors name the place in the file (LINE:COLUMN), or the member that is there in another shape than is
// needed, and nothing was edited then.

struct SettingValue {
  std::string_view json;
  std::size_t indent = 0;
};

// The result of an edit.
struct EditedSettings {
  std::string text;
  bool changed = false;  // not where a value that differs in whitespace and comments at the most was there
};

enum class WhenThere { replace, keep };

// Sets the value at the end of a path of names in the object `text`. Missing objects on the path are created;
// a member of another type, or a duplicate, is an error.
Result<EditedSettings> with_setting(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, SettingValue value,
                                    WhenThere when_there = WhenThere::replace);

// Whether there is a value of any type at the end of the path. False if the text is not JSON.
bool has_setting(std::string_view text, JsonDialect dialect, std::span<const std::string_view> path);

// Sets an object as an element of the array at the end of the path, which is created if missing. If an
// element has the same value in its member `key`, or at least one of its strings and a `command` with the
// same program, the members of the object are set in that element. It is also an error if `key` is an array
// and another element has some of its values, because only one of the two would ever be used.
Result<EditedSettings> with_element(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, std::string_view key,
                                    SettingValue value);

}  // namespace symbols::setup
