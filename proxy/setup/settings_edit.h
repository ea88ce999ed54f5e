// A member put into a settings file of somebody's own, in the way that the file is laid out: its indentation,
// its line ends, its comments and every byte that is not part of the member stay, but for blanks before a
// brace that gets a line of its own. (lsp/json/json_edit.h edits messages, which nobody reads and which have
// no comments.)
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

// Throughout: `value` is JSON, laid out over lines with two blanks a level or in one line, whose first line
// starts where the value does; `indent` is the number of blanks before the line that it starts in. Errors
// name the place in the file (LINE:COLUMN), or the member that is there in another shape than is needed, and
// nothing was edited then.

struct SettingValue {
  std::string_view json;
  std::size_t indent = 0;
};

// What an edit did to the file.
struct EditedSettings {
  std::string text;
  bool changed = false;  // not where a value that differs in blanks and comments at the most was there
};

enum class WhenThere { replace, keep };

// The value at the end of a path of names in the object `text`. Objects on the way are made where they are
// absent; what is there in another shape, or twice, is an error.
Result<EditedSettings> with_setting(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, SettingValue value,
                                    WhenThere when_there = WhenThere::replace);

// Whether there is a value at the end of the path, of whatever shape. Not in a text that is no JSON.
bool has_setting(std::string_view text, JsonDialect dialect, std::span<const std::string_view> path);

// An object as an element of the array at the end of the path, which is made where it is absent. Where there
// is an element whose member `key` has the same value, or at least one string of it and a `command` that
// starts the same program, the members of the object are put into that one. Error also: `key` is an array of
// which another element has some values too, as then only one of the two would ever be used.
Result<EditedSettings> with_element(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, std::string_view key,
                                    SettingValue value);

}  // namespace symbols::setup
