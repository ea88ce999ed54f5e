#include "lsp/json/json_edit.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "lsp/json/json_members.h"

namespace symbols::lsp {
namespace {

bool is_named(const JsonMembers& members, std::string_view name) {
  std::string storage;
  return unescape_json_string(members.name(), storage) == name;
}

Error no_object(const JsonMembers& members) {
  return {"not a JSON object: " + members.fault(), {}};
}

// The byte offsets of the parts of a member.
struct Member {
  std::size_t begin;  // the opening quote of its name
  std::size_t value;
  std::size_t end;  // after its value
  bool wanted;      // has one of the given names
};
using Layout = std::vector<Member>;

template <class Wanted>
Result<Layout> read_layout(std::string_view object, Wanted wanted) {
  Layout layout;
  JsonMembers members(object);
  while (members.next()) {
    if (!members.value()) break;
    layout.push_back({members.member_offset(), members.value_offset(), members.offset(), wanted(members)});
  }
  if (members.state() != JsonMembers::State::end) return no_object(members);
  const std::size_t behind = skip_json_whitespace(object, members.offset());
  if (behind < object.size())
    return Error{"not a JSON object: " + members.fault_at(behind, "nothing after it"), {}};
  return layout;
}

// The object's bytes before byte `end`, without the wanted members that begin before it.
std::string without_wanted(std::string_view object, const Layout& members, std::size_t end) {
  std::string out;
  out.reserve(end);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < members.size() && members[i].begin < end;) {
    if (!members[i].wanted) {
      ++i;
      continue;
    }
    const std::size_t first = i;
    while (i < members.size() && members[i].wanted) ++i;
    if (i < members.size()) {
      out += object.substr(copied, members[first].begin - copied);
      copied = members[i].begin;
    } else {
      const std::size_t kept = first == 0 ? members[0].begin : members[first - 1].end;
      out += object.substr(copied, kept - copied);
      copied = members.back().end;
    }
  }
  if (copied < end) out += object.substr(copied, end - copied);
  return out;
}

// Writes `value` at the end of the path, or removes what is there if none is given.
Result<std::string> edit_at(std::string_view object, const Names& path,
                            std::optional<std::string_view> value) {
  std::string out;                      // the text before the value of the previous name
  std::vector<std::string_view> after;  // the texts after it, the innermost last
  std::string_view at = object;         // that value
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0 && !at.starts_with('{')) {
      if (!value) return std::string(object);
      at = "{}";
    }
    Result<Layout> layout =
        read_layout(at, [&](const JsonMembers& member) { return is_named(member, path[i]); });
    if (!layout) return layout.error();
    Layout& members = *layout;
    const auto last = std::find_if(members.rbegin(), members.rend(), std::mem_fn(&Member::wanted));
    if (last != members.rend()) {
      if (!value && i + 1 == path.size()) {
        out += without_wanted(at, *layout, at.size());
        break;
      }
      last->wanted = false;  // it stays, earlier ones go
      out += without_wanted(at, *layout, last->value);
      after.push_back(at.substr(last->end));
      at = at.substr(last->value, last->end - last->value);
    } else {
      if (!value) return std::string(object);
      const std::size_t behind = members.empty() ? at.find('{') + 1 : members.back().end;
      out += at.substr(0, behind);
      if (!members.empty()) out += ',';
      append_json_string(out, path[i]);
      out += ':';
      after.push_back(at.substr(behind));
      at = {};
    }
  }
  if (value) out += *value;
  for (auto part = after.rbegin(); part != after.rend(); ++part) out += *part;
  return out;
}

}  // namespace

std::optional<std::string_view> member_value(std::string_view object, std::string_view name) {
  JsonMembers members(object);
  std::optional<std::string_view> found;
  while (members.next()) {
    if (is_named(members, name)) found = members.value();
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

Result<void> for_each_member(std::string_view object,
                             const std::function<void(std::string_view, std::string_view)>& visit) {
  JsonMembers members(object);
  std::string storage;
  while (members.next()) {
    const std::optional<std::string_view> value = members.value();
    if (!value) break;
    visit(unescape_json_string(members.name(), storage), *value);
  }
  if (members.state() != JsonMembers::State::end) return no_object(members);
  return {};
}

Result<std::string> without_members(std::string_view object, const Names& names) {
  const Result<Layout> layout = read_layout(object, [&](const JsonMembers& member) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return is_named(member, name); });
  });
  if (!layout) return layout.error();
  return without_wanted(object, *layout, object.size());
}

Result<std::string> with_value_at(std::string_view object, const Names& path, std::string_view value) {
  return edit_at(object, path, value);
}

std::string with_elements(std::string_view array, std::span<const std::string> values) {
  std::vector<std::string_view> present;
  if (!for_each_element(array, [&present](std::string_view element) { present.push_back(element); })) {
    return with_elements("[]", values);
  }
  const std::size_t last_end =
      present.empty()
          ? 0
          : static_cast<std::size_t>(present.back().data() - array.data()) + present.back().size();
  const std::size_t behind = array.find(']', last_end);
  std::string longer(array.substr(0, behind));
  for (const std::string& value : values) {
    if (std::find(present.begin(), present.end(), value) != present.end()) continue;
    if (!present.empty()) longer += ',';
    longer += value;
    present.push_back(value);
  }
  longer += array.substr(behind);
  return longer;
}

Result<std::string> without_value_at(std::string_view object, const Names& path) {
  return edit_at(object, path, std::nullopt);
}

}  // namespace symbols::lsp
