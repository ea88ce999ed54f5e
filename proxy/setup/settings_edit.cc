#include "proxy/setup/settings_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "proxy/files/text_place.h"
#include "proxy/setup/settings_layout.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

using boost::system::in_place_value;

// The file with another item after the last one of a container. `name` is empty for an element.
std::string with_item(std::string_view text, const PlainJson& plain, const Container& container,
                      std::string_view name, const SettingValue& value) {
  const std::string named = name.empty() ? std::string() : lsp::json_string(name) + ": ";
  const std::size_t close = container.end - 1;
  const std::size_t last = container.items.empty() ? container.begin + 1 : container.items.back().end;
  // The last item may be followed by a comma and comments; the new one goes after these.
  std::size_t place = last;
  bool has_comma = false;
  for (const std::size_t comma : plain.trailing_commas) {
    if (comma < last || comma >= close) continue;
    has_comma = true;
    place = comma + 1;
  }
  for (const PlainJson::Comment& comment : plain.comments) {
    if (comment.begin >= last && comment.end <= close) place = std::max(place, comment.end);
  }

  std::string out(text.substr(0, last));
  if (!container.items.empty() && !has_comma) out += ',';
  out += text.substr(last, place - last);
  const std::string_view around = text.substr(container.begin, container.end - container.begin);
  if (!container.items.empty() && around.find_first_of("\r\n") == around.npos) {
    out += ' ' + named + minified(value.json, " ");
    if (has_comma) out += ',';
    out += text.substr(place);
    return out;
  }
  const std::string_view outer = indent_of_line(text, container.begin);
  std::string indent(outer);
  if (!container.items.empty() && begins_its_line(text, container.items.front().begin)) {
    indent = indent_of_line(text, container.items.front().begin);
  } else {
    indent += indent_unit(text);
  }
  out += line_end(text);
  out += indent + named + laid_out(value.json, value.indent, text, indent);
  if (has_comma) out += ',';
  std::string_view rest = text.substr(place);
  const std::string_view before_close = rest.substr(0, close - place);
  if (before_close.find_first_of("\r\n") == before_close.npos) {
    rest.remove_prefix(before_close.size());  // whitespace
    out += line_end(text);
    out += outer;
  }
  out += rest;
  return out;
}

std::string with_value(std::string_view text, const Container::Item& item, const SettingValue& value) {
  const std::string_view old = text.substr(item.value, item.end - item.value);
  const bool stays_in_line = old.find_first_of("\r\n") == old.npos && !begins_its_line(text, item.begin);
  std::string out(text.substr(0, item.value));
  out += stays_in_line ? minified(value.json, " ")
                       : laid_out(value.json, value.indent, text, indent_of_line(text, item.begin));
  out += text.substr(item.end);
  return out;
}

std::string joined(std::span<const std::string_view> path) {
  return fmt::format("{}", fmt::join(path, "."));
}

// The only member of that name; null if there is none.
Result<const Container::Item*> member_of(std::string_view text, const Container& object,
                                         std::string_view name) {
  const Container::Item* found = nullptr;
  for (const Container::Item& item : object.items) {
    if (item.name != name) continue;
    if (found != nullptr) {
      return Error{fmt::format("{}: there is a second member {}, the first one is at {}",
                               files::text_place(text, item.begin), table::quoted(name),
                               files::text_place(text, found->begin)),
                   "remove one of them"};
    }
    found = &item;
  }
  return found;
}

Error other_shape(std::string_view text, std::size_t offset, std::string_view name, std::string_view wanted) {
  return {fmt::format("{}: {} is not an {}", files::text_place(text, offset), name, wanted),
          "change it by hand"};
}

bool same_value(std::string_view plain, const Container::Item& item, std::string_view json) {
  return minified(plain.substr(item.value, item.end - item.value)) == minified(json);
}

// The strings in the member `key` of the object `element`, if it is an array; and the raw member.
struct Key {
  std::string json;
  std::vector<std::string> strings;
};
Key key_of(std::string_view element, std::string_view name) {
  Key key;
  const Container object = object_at(element, lsp::skip_json_whitespace(element));
  for (const Container::Item& item : object.items) {
    if (item.name != name) continue;
    const std::string_view value = element.substr(item.value, item.end - item.value);
    key.json = minified(value);
    lsp::for_each_element(value, [&key](std::string_view string) {
      if (const auto text = lsp::json_string_text(minified(string))) key.strings.push_back(*text);
    });
  }
  return key;
}

// The name of the program in the element's member "command"; empty if there is none.
std::string program_of(std::string_view element) {
  const std::vector<std::string> words = key_of(element, "command").strings;
  return words.empty() ? std::string() : words.front().substr(words.front().rfind('/') + 1);
}

// Where a path of names leads in a file.
struct PathEnd {
  Container object;                     // the innermost object on the path that is there
  std::size_t depth = 0;                // of that object: the number of names before it
  std::optional<Container::Item> last;  // the member at the end of the path; none if it is missing
};

// Follows the path from the object at `start`. Error: a value on it is not an object, or there twice.
Result<PathEnd> follow(std::string_view text, std::string_view plain, std::size_t start,
                       std::span<const std::string_view> path) {
  std::size_t at = lsp::skip_json_whitespace(plain, start);
  for (std::size_t depth = 0;; ++depth) {
    if (plain[at] != '{')
      return other_shape(text, at, depth == 0 ? "the file" : joined(path.first(depth)), "object");
    PathEnd end{object_at(plain, at), depth, {}};
    const Result<const Container::Item*> member = member_of(text, end.object, path[depth]);
    if (!member) return member.error();
    if (*member == nullptr) return end;
    if (depth + 1 == path.size()) {
      end.last = **member;
      return end;
    }
    at = (*member)->value;
  }
}

// The element at `start` with the members of the object `value`.
Result<std::string> with_members(std::string_view text, JsonDialect dialect, std::size_t start,
                                 SettingValue value) {
  Result<std::string> edited{in_place_value, text};
  for (const Container::Item& ours : object_at(value.json, lsp::skip_json_whitespace(value.json)).items) {
    const bool is_first_line = value.json.substr(0, ours.begin).find('\n') == value.json.npos;
    const std::size_t indent = is_first_line ? value.indent : indent_of_line(value.json, ours.begin).size();
    const std::string_view path[] = {ours.name};
    edited =
        with_setting(*edited, dialect, path, {value.json.substr(ours.value, ours.end - ours.value), indent},
                     WhenThere::replace, start);
    if (!edited) break;
  }
  return edited;
}

}  // namespace

Result<std::string> with_setting(std::string_view text, JsonDialect dialect,
                                 std::span<const std::string_view> path, SettingValue value,
                                 WhenThere when_there, std::size_t start) {
  const Result<PlainJson> plain = read_jsonc(text, dialect);
  if (!plain) return plain.error();
  const Result<PathEnd> end = follow(text, plain->text, start, path);
  if (!end) return end.error();
  if (end->last) {
    const bool stays = when_there == WhenThere::keep || same_value(plain->text, *end->last, value.json);
    return {in_place_value, stays ? std::string(text) : with_value(text, *end->last, value)};
  }
  const std::string_view name = path[end->depth];
  if (end->depth + 1 == path.size())
    return {in_place_value, with_item(text, *plain, end->object, name, value)};
  // The next object of the path.
  return with_setting(with_item(text, *plain, end->object, name, {"{}"}), dialect, path, value, when_there,
                      start);
}

bool has_setting(std::string_view text, JsonDialect dialect, std::span<const std::string_view> path) {
  const Result<PlainJson> plain = read_jsonc(text, dialect);
  if (!plain) return false;
  const Result<PathEnd> end = follow(text, plain->text, 0, path);
  return end && end->last;
}

Result<std::string> with_element(std::string_view text, JsonDialect dialect,
                                 std::span<const std::string_view> path, std::string_view key,
                                 SettingValue value) {
  const Result<std::string> file = with_setting(text, dialect, path, {"[]"}, WhenThere::keep);
  if (!file) return file.error();
  const Result<PlainJson> plain = read_jsonc(*file, dialect);
  if (!plain) return plain.error();
  const Result<PathEnd> end = follow(*file, plain->text, 0, path);
  if (!end) return end.error();
  const std::size_t at = end->last->value;
  if (plain->text[at] != '[') return other_shape(*file, at, joined(path), "array");

  const Container array = array_at(plain->text, at);
  const Key wanted = key_of(value.json, key);
  const auto element_at = [&plain](const Container::Item& item) {
    return std::string_view(plain->text).substr(item.value, item.end - item.value);
  };
  const Container::Item* same = nullptr;
  std::vector<std::pair<const Container::Item*, Key>> others;
  for (const Container::Item& item : array.items) {
    Key there = key_of(element_at(item), key);
    if (there.json == wanted.json) {
      same = &item;
    } else {
      others.emplace_back(&item, std::move(there));
    }
  }
  const std::string program = program_of(value.json);
  for (const auto& [other, there] : others) {
    const auto shared = std::ranges::find_first_of(there.strings, wanted.strings);
    if (shared == there.strings.end()) continue;
    if (same == nullptr && !program.empty() && program_of(element_at(*other)) == program) {
      same = other;
      continue;
    }
    return Error{fmt::format("{}: an element of {} already handles {}",
                             files::text_place(*file, other->begin), joined(path), table::quoted(*shared)),
                 fmt::format("remove it, or remove {} from its {}", table::quoted(*shared), key)};
  }
  if (same == nullptr) return {in_place_value, with_item(*file, *plain, array, {}, value)};
  return with_members(*file, dialect, same->value, value);
}

}  // namespace symbols::setup
