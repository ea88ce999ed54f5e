// Reads and edits the raw text of JSON, for callers that need the bytes or the place of a value, or stop
// early: RapidJSON tells neither. Numbers, escapes and the order of members stay as they are. In values that
// are not edited only strings and nesting are checked; nesting costs no stack.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::lsp {

// A cursor over the members of an object, or the elements of an array, at the start of a text that the caller
// keeps alive, after optional whitespace; what follows it is not read. Strict about the object's own commas,
// colons and quotes. Takes linear time, however often value() is called.
class JsonMembers {
 public:
  enum class State { inside, end, failed };

  // With `[` for `opening` it reads an array; its elements have no name.
  explicit JsonMembers(std::string_view text, char opening = '{') : text_(text), opening_(opening) {}

  // Moves to the next member whose value has begun; false if there is none: state() says why.
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

 private:
  // The next byte after whitespace; NUL at the end of the text.
  char peek();
  bool read_name();
  bool fail() {
    state_ = State::failed;
    return false;
  }

  std::string_view text_;
  char opening_;
  std::string name_;
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
// several members of one name the last one counts, as in JavaScript's JSON.parse. Time is linear in the
// object's size, times the length of a path. The object is at the start of the text, after optional
// whitespace; views point into the text.

// Names of members.
using Names = std::vector<std::string_view>;

// The value of a member. None if it is absent, or the text does not start with a whole object. What follows
// the object is not read, so that Envelope::rest can be passed.
std::optional<std::string_view> member_value(std::string_view object, std::string_view name);

// The value at the end of a path of names. None if any of them is absent or not in an object.
std::optional<std::string_view> value_at(std::string_view object, const Names& path);

// The object alone, without the members of these names; where any are removed, without the whitespace between
// the others. None if the text does not start with a whole object.
std::optional<std::string> without_members(std::string_view object, const Names& names);

// The text with the member at the end of a path of at least one name: its value replaced, or the member
// appended; no other byte changes. If a name on the path is absent, or its value is not an object, an object
// takes its place. None if the text does not start with a whole object.
std::optional<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value);

}  // namespace symbols::lsp
