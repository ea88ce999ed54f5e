// The members of a JSON object, one after another, on its raw text: what the envelope's reader and the edits
// of raw JSON share. RapidJSON has no place for it: it tells neither where a value stands nor whether what is
// cut short may go on. Nothing is allocated, nesting costs no stack, and the text may be the beginning of an
// object.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// Reads the object at the start of a text that the caller keeps alive; whitespace may stand before it, and
// what follows it is not read. Strict about the object's own commas, colons and quotes; of a value only
// strings and nesting are honoured (skip_json_value). Takes linear time, however often a value is asked for.
class JsonMembers {
 public:
  enum class State {
    inside,      // the end was not reached yet
    end,         // behind the closing brace
    incomplete,  // the text ends within the object: more of it may follow
    malformed,   // no JSON object, whatever follows
  };

  explicit JsonMembers(std::string_view text) : text_(text) {}

  // To the next member whose value has begun; false where there is none: state() tells why.
  bool next();
  State state() const { return state_; }

  // Of the member that next() found. The name is what stands between its quotes, escapes and all.
  std::string_view name() const { return name_; }
  // From the value's first byte to the end of the text.
  std::string_view rest() const { return text_.substr(value_); }
  // The whole value; none where the text ends within it, or might: a number at its very end may have more
  // digits.
  std::optional<std::string_view> value();

  // Byte offsets of the opening quote of the member's name, and of its value.
  std::size_t member_offset() const { return member_; }
  std::size_t value_offset() const { return value_; }
  // Byte offset that the reader has come to; behind the closing brace at State::end.
  std::size_t offset() const { return at_; }

  // After State::incomplete or malformed: "expected a colon at byte 6, found '1}'", in printable ASCII.
  std::string fault() const { return fault_at(at_, expected_); }
  // Such a message for what a caller finds at byte `at`.
  std::string fault_at(std::size_t at, std::string_view expected) const;

 private:
  bool skip_whitespace();
  bool open();
  bool read_name();
  bool stop(State state, std::string_view expected);
  // At the text's end there is no telling what would have followed.
  bool stop_here(std::string_view expected);

  std::string_view text_;
  std::string_view name_;
  std::string_view expected_;
  std::size_t at_ = 0;
  std::size_t member_ = 0;
  std::size_t value_ = 0;
  State state_ = State::inside;
  bool opened_ = false;
  bool in_value_ = false;  // at_ stands at the value's first byte
};

}  // namespace symbols::lsp
