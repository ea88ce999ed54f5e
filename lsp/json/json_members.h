// A cursor over the members of a raw JSON object or the elements of a raw JSON array, for readers that need
// the bytes or the place of a value, or stop early; RapidJSON tells neither. Nothing is allocated, nesting
// costs no stack.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// Reads the object at the start of a text that the caller keeps alive, after optional whitespace; what
// follows it is not read. Strict about the object's own commas, colons and quotes; in values only strings and
// nesting are checked (skip_json_value). Takes linear time, however often value() is called.
class JsonMembers {
 public:
  enum class State { inside, end, failed };

  explicit JsonMembers(std::string_view text) : text_(text) {}
  // The same for an array; its elements have no name.
  static JsonMembers elements_of(std::string_view array) {
    JsonMembers elements(array);
    elements.opening_ = '[';
    return elements;
  }

  // Moves to the next member whose value has begun; false if there is none: state() tells why.
  bool next();
  State state() const { return state_; }

  // The current member's. The name is the raw text between its quotes, escapes included.
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
  char opening_ = '{';
  std::string_view name_;
  std::string_view expected_;
  std::size_t at_ = 0;
  std::size_t member_ = 0;
  std::size_t value_ = 0;
  State state_ = State::inside;
  bool opened_ = false;
  bool in_value_ = false;  // at_ is at the value's first byte
};

}  // namespace symbols::lsp
