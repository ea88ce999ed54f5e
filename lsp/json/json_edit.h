// Edits the raw text of a JSON object and leaves every other byte unchanged: numbers, escapes, whitespace,
// the order of members. For messages that pass through the proxy with a member changed, removed or added.
//
// Throughout: a `name` is UTF-8 and compared with the members' unescaped names; a `value` is raw JSON. Of
// several members of one name the last one counts, as in JavaScript's JSON.parse, and if such a member is
// written the others are dropped, so that every reader sees the same. In values that are not edited only
// strings and nesting are checked. Time is linear in the object's size, times the length of a path; nesting
// costs no stack.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// Names of members: any range of them, or a list in braces, which lives as long as the call.
struct Names : std::span<const std::string_view> {
  using span::span;
  Names(std::span<const std::string_view> names) : span(names) {}
  Names(std::initializer_list<std::string_view> names) : span(names.begin(), names.size()) {}
};

// Readers. The object is at the start of the text, after optional whitespace; what follows it is not read, so
// that Envelope::rest can be passed. Views point into the text.

// The value of a member. None if it is absent, or the text is not a whole object.
std::optional<std::string_view> member_value(std::string_view object, std::string_view name);

// The value at the end of a path of names. None if any of them is absent or not in an object.
std::optional<std::string_view> value_at(std::string_view object, const Names& path);

// Calls `visit` for each member in order, including duplicates. The name is valid during the call. Error: not
// a whole object; the members before the fault have been visited by then.
Result<void> for_each_member(std::string_view object,
                             const std::function<void(std::string_view name, std::string_view value)>& visit);

// Edits. The object is the whole text, except for whitespace around it, which is kept. Error: the text, or a
// value on the path, is not an object; nothing was edited, and the caller can pass the text on unchanged.

// The object without the members of these names. The comma and whitespace after a member go with it, for the
// last one those before it.
Result<std::string> without_members(std::string_view object, const Names& names);

// The object with the member at the end of a path of at least one name: its value replaced, or the member
// appended. If a name on the path is absent, or its value null or otherwise not an object, an object takes
// its place.
Result<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value);

// The array with those of `values` appended that are not among its elements yet, byte for byte. Anything but
// a whole array counts as an empty one.
std::string with_elements(std::string_view array, std::span<const std::string> values);

// The object without the member at the end of a path of at least one name; unchanged if there is none. The
// enclosing object stays, even as `{}`.
Result<std::string> without_value_at(std::string_view object, const Names& path);

}  // namespace symbols::lsp
