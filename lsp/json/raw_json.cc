#include "lsp/json/raw_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

// The byte offsets of the parts of a member.
struct Member {
  std::size_t begin;  // the opening quote of its name
  std::size_t value;
  std::size_t end;  // after its value
  bool is_wanted;   // has one of the given names
};
using Layout = std::vector<Member>;

Result<Layout> read_layout(std::string_view object, const Names& names) {
  Layout layout;
  JsonMembers members(object);
  while (members.next() && members.value()) {
    layout.push_back({members.member_offset(), members.value_offset(), members.offset(),
                      std::ranges::find(names, members.name()) != names.end()});
  }
  if (members.state() != JsonMembers::State::end) return Error{"not a JSON object: " + members.fault(), {}};
  const std::size_t behind = skip_json_whitespace(object, members.offset());
  if (behind == object.size()) return layout;
  return Error{"not a JSON object: " + members.fault_at(behind, "nothing after it"), {}};
}

// The object without the wanted members, and with another value for the one `changed`, if any. The comma
// after a member goes with it, for the last one that before it.
std::string written(std::string_view object, const Layout& members, const Member* changed = nullptr,
                    std::string_view value = {}) {
  if (members.empty()) return std::string(object);
  std::string out(object.substr(0, members.front().begin));
  std::string_view comma;  // with its whitespace, after the last member written
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (member.is_wanted) continue;
    const std::size_t end = &member == changed ? member.value : member.end;
    out.append(comma).append(object.substr(member.begin, end - member.begin));
    if (&member == changed) out += value;
    if (i + 1 < members.size()) comma = object.substr(member.end, members[i + 1].begin - member.end);
  }
  out += object.substr(members.back().end);
  return out;
}

// Writes `value` at the end of the path, or removes what is there if none is given.
Result<std::string> edit_at(std::string_view object, const Names& path,
                            std::optional<std::string_view> value) {
  Result<Layout> layout = read_layout(object, path.first(1));
  if (!layout) return layout.error();
  const auto last = std::find_if(layout->rbegin(), layout->rend(), std::mem_fn(&Member::is_wanted));
  const bool is_there = last != layout->rend();
  std::string inner;
  if (path.size() > 1) {
    const bool is_object = is_there && object[last->value] == '{';
    const auto old = is_object ? object.substr(last->value, last->end - last->value) : "{}";
    Result<std::string> edited = edit_at(old, path.subspan(1), value);
    if (!edited) return edited;
    value = inner = *std::move(edited);
  }
  if (!value) return written(object, *layout);
  if (is_there) {
    last->is_wanted = false;  // it stays, earlier ones go
    return written(object, *layout, &*last, *value);
  }
  const std::size_t behind = layout->empty() ? object.find('{') + 1 : layout->back().end;
  return fmt::format("{}{}{}:{}{}", object.substr(0, behind), layout->empty() ? "" : ",",
                     json_string(path.front()), *value, object.substr(behind));
}

}  // namespace

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
  name_ = unescape_json_string(text_.substr(at_ + 1, length - 2), unescaped_);
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
  JsonMembers members(object);
  std::optional<std::string_view> found;
  while (members.next()) {
    if (members.name() == name) found = members.value();
  }
  return members.state() == JsonMembers::State::end ? found : std::nullopt;
}

std::optional<std::string_view> value_at(std::string_view object, const Names& path) {
  std::optional<std::string_view> found = object;
  for (const std::string_view name : path) {
    found = member_value(*found, name);
    if (!found) break;
  }
  return found;
}

Result<std::string> without_members(std::string_view object, const Names& names) {
  const Result<Layout> layout = read_layout(object, names);
  if (!layout) return layout.error();
  return written(object, *layout);
}

Result<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value) {
  return edit_at(object, path, value);
}

Result<std::string> without_value_at(std::string_view object, const Names& path) {
  if (!value_at(object, path)) return without_members(object, {});
  return edit_at(object, path, {});
}

std::string with_elements(std::string_view array, std::span<const std::string> values) {
  std::vector<std::string_view> elements;
  if (!for_each_element(array, [&](std::string_view element) { elements.push_back(element); }))
    elements.clear();
  for (const std::string& value : values) {
    if (std::ranges::find(elements, value) == elements.end()) elements.push_back(value);
  }
  return fmt::format("[{}]", fmt::join(elements, ","));
}

}  // namespace symbols::lsp
