// Reads and edits the raw text of JSON, for callers that need the bytes or the place of a value, or stop
// early: RapidJSON tells neither. Edits leave every other byte unchanged: numbers, escapes, whitespace, the
// order of members. In values that are not edited only strings and nesting are checked; nesting costs no
// stack.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// A cursor over the members of an object, or the elements of an array, at the start of a text that the caller
// keeps alive, after optional whitespace; what follows it is not read. Strict about the object's own commas,
// colons and quotes. Takes linear time, however often value() is called.
class JsonMembers {
 public:
  enum class State { inside, end, failed };

  // With `[` for `opening` it reads an array; its elements have no name.
  explicit JsonMembers(std::string_view text, char opening = '{') : text_(text), opening_(opening) {}
  JsonMembers(const JsonMembers&) = delete;
  JsonMembers& operator=(const JsonMembers&) = delete;

  // Moves to the next member whose value has begun; false if there is none: state() tells why.
  bool next();
  State state() const { return state_; }

  // The current member's name, unescaped; valid until the next call of next().
  std::string_view name() const { return name_; }
  // From the value's first byte to the end of the text.
  std::string_view rest() const { return text_.substr(value_); }
  // The whole value; none if the text ends within it.
  std::optional<std::string_view> value();

  // Byte offsets of the opening quote of the member's name, and of its value.
  std::size_t member_offset() const { return member_; }
  std::size_t value_offset() const { return value_; }
  // The reader's byte offset; after the closing bracket at State::end.
  std::size_t offset() const { return at_; }

  // After State::failed: "expected a colon at byte 6, found '1}'", in printable ASCII.
  std::string fault() const { return fault_at(at_, expected_); }
  // Such a message for what the caller finds at byte `at`.
  std::string fault_at(std::size_t at, std::string_view expected) const;

 private:
  // The next byte after whitespace; NUL at the end of the text.
  char peek();
  bool read_name();
  bool fail(std::string_view expected);

  std::string_view text_;
  char opening_;
  std::string_view name_;
  std::string unescaped_;  // what name_ is a view of if the name has escapes
  std::string_view expected_;
  std::size_t at_ = 0;
  std::size_t member_ = 0;
  std::size_t value_ = 0;
  State state_ = State::inside;
  bool opened_ = false;
  bool in_value_ = false;  // at_ is at the value's first byte
};

// Calls `visit` for each element of the array at the start of `array`, as raw JSON, and returns their number.
// None if the text is not a whole array; elements before the fault have been visited by then.
std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit);

// The first element of such an array. None if the array is empty, the text not an array, or the element not
// whole; what follows the element is not read.
std::optional<std::string_view> first_element(std::string_view array);

// The functions below compare a `name`, UTF-8, with the members' unescaped names; a `value` is raw JSON. Of
// several members of one name the last one counts, as in JavaScript's JSON.parse, and if such a member is
// written the others are dropped, so that every reader sees the same. Time is linear in the object's size,
// times the length of a path.

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

// Edits. The object is the whole text, except for whitespace around it, which is kept. Error: the text, or a
// value on the path, is not an object; nothing was edited, and the caller can pass the text on unchanged.

// The object without the members of these names. The comma and whitespace after a member go with it, for the
// last one those before it.
Result<std::string> without_members(std::string_view object, const Names& names);

// The object with the member at the end of a path of at least one name: its value replaced, or the member
// appended. If a name on the path is absent, or its value null or otherwise not an object, an object takes
// its place.
Result<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value);

// The array's elements and those of `values` that are not among them yet, byte for byte; without whitespace
// between them. Anything but a whole array counts as an empty one.
std::string with_elements(std::string_view array, std::span<const std::string> values);

// The object without the member at the end of a path of at least one name; unchanged if there is none. The
// enclosing object stays, even as `{}`.
Result<std::string> without_value_at(std::string_view object, const Names& path);

}  // namespace symbols::lsp
