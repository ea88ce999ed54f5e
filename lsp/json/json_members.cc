#include "lsp/json/json_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::lsp {

bool JsonMembers::next() {
  if (state_ != State::inside || (in_value_ && !value())) return false;
  const bool is_first = !std::exchange(opened_, true);
  const bool is_object = opening_ == '{';
  if (is_first) {
    if (peek() != opening_) return fail(is_object ? "an object" : "an array");
    ++at_;
  }
  if (peek() == (is_object ? '}' : ']')) {
    ++at_;
    state_ = State::end;
    return false;
  }
  if (!is_first) {
    if (peek() != ',') return fail("a comma or the object's end");
    ++at_;
  }
  if (is_object && !read_name()) return false;
  if (std::string_view(",:}]\0", 5).find(peek()) != std::string_view::npos) return fail("a value");
  value_ = at_;
  in_value_ = true;
  return true;
}

std::optional<std::string_view> JsonMembers::value() {
  if (state_ != State::inside) return {};
  if (in_value_) {
    const std::size_t length = skip_json_value(text_.substr(at_));
    if (length == std::string_view::npos) {
      at_ = text_.size();
      fail("the value's end");
      return {};
    }
    at_ += length;
    in_value_ = false;
  }
  return text_.substr(value_, at_ - value_);
}

bool JsonMembers::read_name() {
  if (peek() != '"') return fail("a member's name");
  const std::size_t length = skip_json_string(text_.substr(at_));
  if (length == std::string_view::npos) return fail("a member's whole name");
  member_ = at_;
  name_ = text_.substr(at_ + 1, length - 2);
  at_ += length;
  if (peek() != ':') return fail("a colon");
  ++at_;
  return true;
}

char JsonMembers::peek() {
  at_ = skip_json_whitespace(text_, at_);
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonMembers::fail(std::string_view expected) {
  state_ = State::failed;
  expected_ = expected;
  return false;
}

std::string JsonMembers::fault_at(std::size_t at, std::string_view expected) const {
  // What is there, reduced to printable ASCII, so that a server cannot send control characters to a terminal.
  std::string found;
  for (const char c : text_.substr(std::min(at, text_.size()), 30)) found += c >= 0x20 && c < 0x7F ? c : '?';
  return fmt::format("expected {} at byte {}, found '{}'", expected, at, found);
}

}  // namespace symbols::lsp
