#include "lsp/json/json_members.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"

namespace symbols::lsp {

bool JsonMembers::next() {
  if (state_ != State::inside) return false;
  if (!opened_) return open() && read_name();
  if (in_value_ && !value()) return false;
  if (!skip_whitespace()) return stop_here("a comma or the object's end");
  if (text_[at_] == '}') {
    ++at_;
    return stop(State::end, {});
  }
  if (text_[at_] != ',') return stop_here("a comma or the object's end");
  ++at_;
  if (!skip_whitespace()) return stop_here("a member's name");
  return read_name();
}

std::optional<std::string_view> JsonMembers::value() {
  if (state_ != State::inside) return {};
  if (in_value_) {
    const char first = text_[at_];
    const std::size_t length = skip_json_value(text_.substr(at_));
    const bool shows_its_end = first == '"' || first == '{' || first == '[';
    if (length == std::string_view::npos || (at_ + length == text_.size() && !shows_its_end)) {
      at_ = text_.size();
      stop(State::incomplete, "the value's end");
      return {};
    }
    at_ += length;
    in_value_ = false;
  }
  return text_.substr(value_, at_ - value_);
}

bool JsonMembers::open() {
  opened_ = true;
  if (!skip_whitespace() || text_[at_] != '{') return stop_here("an object");
  ++at_;
  if (!skip_whitespace()) return stop_here("a member's name");
  if (text_[at_] == '}') {
    ++at_;
    return stop(State::end, {});
  }
  return true;
}

bool JsonMembers::read_name() {
  if (text_[at_] != '"') return stop_here("a member's name");
  const std::size_t length = skip_json_string(text_.substr(at_));
  if (length == std::string_view::npos) return stop(State::incomplete, "a member's whole name");
  member_ = at_;
  name_ = text_.substr(at_ + 1, length - 2);
  at_ += length;
  if (!skip_whitespace() || text_[at_] != ':') return stop_here("a colon");
  ++at_;
  if (!skip_whitespace()) return stop_here("a value");
  const char first = text_[at_];
  if (first == ',' || first == ':' || first == '}' || first == ']') return stop_here("a value");
  value_ = at_;
  in_value_ = true;
  return true;
}

bool JsonMembers::skip_whitespace() {
  at_ = skip_json_whitespace(text_, at_);
  return at_ < text_.size();
}

bool JsonMembers::stop(State state, std::string_view expected) {
  state_ = state;
  expected_ = expected;
  return false;
}

bool JsonMembers::stop_here(std::string_view expected) {
  return stop(at_ == text_.size() ? State::incomplete : State::malformed, expected);
}

std::string JsonMembers::fault_at(std::size_t at, std::string_view expected) const {
  // What is there, reduced to printable ASCII, so that a server cannot send control characters to a terminal.
  std::string found;
  for (const char c : text_.substr(std::min(at, text_.size()), 30)) found += c >= 0x20 && c < 0x7F ? c : '?';
  return fmt::format("expected {} at byte {}, found '{}'", expected, at, found);
}

}  // namespace symbols::lsp
