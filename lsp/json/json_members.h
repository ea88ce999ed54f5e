// Iterates over the members of a raw JSON object, for the envelope's reader and the edits of raw JSON.
// RapidJSON cannot replace it: it tells neither where a value is nor whether a text that is cut short may
// continue. Nothing is allocated, nesting costs no stack, and the text may be the beginning of an object.
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
  enum class State {
    inside,      // not at the end yet
    end,         // after the closing brace
    incomplete,  // the text ends within the object, and may continue
    malformed,   // not a JSON object, whatever follows
  };

  explicit JsonMembers(std::string_view text) : text_(text) {}

  // Moves to the next member whose value has begun; false if there is none: state() tells why.
  bool next();
  State state() const { return state_; }

  // The current member's. The name is the raw text between its quotes, escapes included.
  std::string_view name() const { return name_; }
  // From the value's first byte to the end of the text.
  std::string_view rest() const { return text_.substr(value_); }
  // The whole value; none if the text ends within it, or might: a number at the end may have more digits.
  std::optional<std::string_view> value();

  // Byte offsets of the opening quote of the member's name, and of its value.
  std::size_t member_offset() const { return member_; }
  std::size_t value_offset() const { return value_; }
  // The reader's byte offset; after the closing brace at State::end.
  std::size_t offset() const { return at_; }

  // After State::incomplete or malformed: "expected a colon at byte 6, found '1}'", in printable ASCII.
  std::string fault() const { return fault_at(at_, expected_); }
  // Such a message for what the caller finds at byte `at`.
  std::string fault_at(std::size_t at, std::string_view expected) const;

 private:
  bool skip_whitespace();
  bool open();
  bool read_name();
  bool stop(State state, std::string_view expected);
  // Incomplete at the end of the text, where anything could have followed; else malformed.
  bool stop_here(std::string_view expected);

  std::string_view text_;
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
