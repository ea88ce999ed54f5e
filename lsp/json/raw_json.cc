#include "lsp/json/raw_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

// The object at the start of a text, from brace to brace, and the value of its last member of a name.
struct Found {
  std::string_view object;
  std::optional<std::string_view> value;
};

// None if the text does not start with a whole object.
std::optional<Found> find_member(std::string_view text, std::string_view name) {
  JsonMembers members(text);
  std::optional<std::string_view> value;
  while (members.next()) {
    if (members.name() == name) value = members.value();
  }
  if (members.state() != JsonMembers::State::end) return {};
  const std::size_t start = skip_json_whitespace(text);
  return Found{text.substr(start, members.offset() - start), value};
}

// `text`, in which `part` is a view, with that part replaced.
std::string with_part(std::string_view text, std::string_view part, std::string_view replacement) {
  const auto start = static_cast<std::size_t>(part.data() - text.data());
  return fmt::format("{}{}{}", text.substr(0, start), replacement, text.substr(start + part.size()));
}

// Objects within one another, as the names say, around the value.
std::string nested(std::span<const std::string_view> names, std::string_view value) {
  std::string text;
  for (const std::string_view name : names) text += '{' + json_string(name) + ':';
  return text.append(value).append(names.size(), '}');
}

}  // namespace

bool JsonMembers::next() {
  if (state_ != State::inside || (in_value_ && !value())) return false;
  const bool is_first = !std::exchange(opened_, true);
  const bool is_object = opening_ == '{';
  if (is_first) {
    if (peek() != opening_) return fail();
    ++at_;
  }
  if (peek() == (is_object ? '}' : ']')) {
    ++at_;
    state_ = State::end;
    return false;
  }
  if (!is_first) {
    if (peek() != ',') return fail();
    ++at_;
  }
  if (is_object && !read_name()) return false;
  if (std::string_view(",:}]\0", 5).find(peek()) != std::string_view::npos) return fail();
  value_ = at_;
  in_value_ = true;
  return true;
}

std::optional<std::string_view> JsonMembers::value() {
  if (state_ != State::inside) return {};
  if (in_value_) {
    const std::size_t length = skip_json_value(text_.substr(at_));
    if (length == std::string_view::npos) {
      fail();
      return {};
    }
    at_ += length;
    in_value_ = false;
  }
  return text_.substr(value_, at_ - value_);
}

bool JsonMembers::read_name() {
  if (peek() != '"') return fail();
  const std::size_t length = skip_json_string(text_.substr(at_));
  if (length == std::string_view::npos) return fail();
  member_ = at_;
  name_ = text_.substr(at_ + 1, length - 2);
  if (name_.find('\\') != std::string::npos) name_ = *json_string_text(text_.substr(at_, length));
  at_ += length;
  if (peek() != ':') return fail();
  ++at_;
  return true;
}

char JsonMembers::peek() {
  at_ = skip_json_whitespace(text_, at_);
  return at_ < text_.size() ? text_[at_] : '\0';
}

std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit) {
  JsonMembers elements(array, '[');
  std::size_t count = 0;
  while (elements.next()) {
    const std::optional<std::string_view> element = elements.value();
    if (!element) break;
    visit(*element);
    ++count;
  }
  return elements.state() == JsonMembers::State::end ? std::optional(count) : std::nullopt;
}

std::optional<std::string_view> first_element(std::string_view array) {
  JsonMembers elements(array, '[');
  return elements.next() ? elements.value() : std::nullopt;
}

std::optional<std::string_view> member_value(std::string_view object, std::string_view name) {
  const std::optional<Found> found = find_member(object, name);
  return found ? found->value : std::nullopt;
}

std::optional<std::string_view> value_at(std::string_view object, const Names& path) {
  std::optional<std::string_view> found = object;
  for (const std::string_view name : path) {
    found = member_value(*found, name);
    if (!found) break;
  }
  return found;
}

std::optional<std::string> without_members(std::string_view object, const Names& names) {
  JsonMembers members(object);
  std::string kept;
  bool removed = false;
  while (members.next()) {
    if (std::ranges::find(names, members.name()) != names.end()) {
      removed = true;
    } else if (members.value()) {
      if (!kept.empty()) kept += ',';
      kept += object.substr(members.member_offset(), members.offset() - members.member_offset());
    }
  }
  if (members.state() != JsonMembers::State::end) return {};
  return removed ? '{' + kept + '}' : std::string(whole_json_value(object));
}

std::optional<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value) {
  std::string_view there = object;  // as far as the path is there
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    const auto names = std::span(path).subspan(depth);
    const std::optional<Found> found = find_member(there, names.front());
    if (!found) {
      if (depth == 0 || there.starts_with('{')) return {};
      return with_part(object, there, nested(names, value));
    }
    if (!found->value) {
      const std::string_view members = found->object.substr(0, found->object.size() - 1);
      const std::size_t end = members.find_last_not_of(" \t\r\n") + 1;
      const std::string member = nested(names, value);
      return with_part(object, members.substr(end, 0),
                       (end == 1 ? "" : ",") + member.substr(1, member.size() - 2));
    }
    there = *found->value;
  }
  return with_part(object, there, value);
}

}  // namespace symbols::lsp
