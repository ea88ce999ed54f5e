// Edits of a JSON object's raw text that leave every other byte as it is: numbers, escapes, whitespace, the
// order of members. For messages that pass through the proxy with a member changed, taken off or added.
//
// Throughout: a `name` is UTF-8 and compared with the members' names after their escapes are read; a `value`
// is raw JSON. Of several members of one name the last one counts, as in JavaScript's JSON.parse, and where
// such a member is written the others are dropped, so that every reader sees the same. Of a value that is not
// edited only strings and nesting are honoured. Time is linear in the object's size, times the path's length
// where there is one; nesting costs no stack.
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

// Readers. The object stands at the start of the text, whitespace before it aside; what follows it is not
// read, so that Envelope::rest can be given as it is. Views point into the text.

// The value of a member. None where it is absent, or the text is no whole object.
std::optional<std::string_view> member_value(std::string_view object, std::string_view name);

// The value at the end of a path of names. None where any of them is absent or what holds it is no object.
std::optional<std::string_view> value_at(std::string_view object, const Names& path);

// Calls `visit` for each member in their order, duplicates too. The name is valid during the call. Error: no
// whole object; the members before the fault have been visited by then.
Result<void> for_each_member(std::string_view object,
                             const std::function<void(std::string_view name, std::string_view value)>& visit);

// Edits. The object is the whole text, whitespace around it aside, which stay. Error: the text, or an object
// on the path, is none; nothing was edited, and the caller can pass the text on as it came.

// The object without the members of these names. A member takes the comma and whitespace behind it along, the
// last one those before it.
Result<std::string> without_members(std::string_view object, const Names& names);

// The object with this member: its value replaced, or the member appended.
Result<std::string> with_member(std::string_view object, std::string_view name, std::string_view value);

// The same at the end of a path of at least one name. Where a name on the way is absent, or its value null or
// otherwise no object, an object takes its place.
Result<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value);

// The array with those of `values` behind its last element that are none of its elements yet, byte for byte.
// What is no whole array is taken for an empty one.
std::string with_elements(std::string_view array, std::span<const std::string> values);

// The object without the member at the end of a path of at least one name; as it came where there is none.
// What held the member stays, if as `{}`.
Result<std::string> without_value_at(std::string_view object, const Names& path);

}  // namespace symbols::lsp
