#include "proxy/setup/settings_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "proxy/setup/settings_container.h"
#include "proxy/setup/settings_layout.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

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
    out += ' ' + named + in_one_line(value.json);
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
  out += stays_in_line ? in_one_line(value.json)
                       : laid_out(value.json, value.indent, text, indent_of_line(text, item.begin));
  out += text.substr(item.end);
  return out;
}

std::string joined(std::span<const std::string_view> path) {
  std::string out;
  for (const std::string_view name : path) out += (out.empty() ? "" : ".") + std::string(name);
  return out;
}

// The only member of that name; none if there is none.
Result<std::optional<Container::Item>> member_of(std::string_view text, const Container& object,
                                                 std::string_view name) {
  std::optional<Container::Item> found;
  for (const Container::Item& item : object.items) {
    if (item.name != name) continue;
    if (found) {
      return Error{fmt::format("{}: there is a second member {}, the first one is at {}",
                               line_and_column(text, item.begin), table::quoted(name),
                               line_and_column(text, found->begin)),
                   "remove one of them"};
    }
    found = item;
  }
  return {boost::system::in_place_value, std::move(found)};
}

Error other_shape(std::string_view text, std::size_t offset, std::string_view name, std::string_view wanted) {
  return {fmt::format("{}: {} is not an {}", line_and_column(text, offset), name, wanted),
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

// with_setting, in the object at `start`; text before that is not edited.
Result<EditedSettings> with_setting_in(std::string_view text, JsonDialect dialect,
                                       std::optional<std::size_t> start,
                                       std::span<const std::string_view> path, SettingValue value,
                                       WhenThere when_there) {
  std::string edited(text);
  // Each round adds the next missing object of the path, or ends.
  for (std::size_t round = 0; round <= path.size(); ++round) {
    const Result<PlainJson> plain = read_jsonc(edited, dialect);
    if (!plain) return plain.error();
    std::size_t at = lsp::skip_json_whitespace(plain->text, start.value_or(0));
    for (std::size_t depth = 0;; ++depth) {
      if (plain->text[at] != '{') {
        return other_shape(edited, at, depth == 0 ? "the file" : joined(path.first(depth)), "object");
      }
      const Container object = object_at(plain->text, at);
      const Result<std::optional<Container::Item>> member = member_of(edited, object, path[depth]);
      if (!member) return member.error();
      const bool is_last = depth + 1 == path.size();
      if (!*member) {
        edited = with_item(edited, *plain, object, path[depth], is_last ? value : SettingValue{"{}"});
        if (is_last) return EditedSettings{std::move(edited), true};
        break;
      }
      const Container::Item& item = **member;
      if (is_last) {
        if (when_there == WhenThere::keep || same_value(plain->text, item, value.json)) {
          return EditedSettings{std::string(text), false};
        }
        return EditedSettings{with_value(edited, item, value), true};
      }
      at = item.value;
    }
  }
  return Error{fmt::format("found no place for {}", joined(path)), "add it by hand"};
}

// The element at `start` with the members of the object `value`.
Result<EditedSettings> with_members(std::string_view text, JsonDialect dialect, std::size_t start,
                                    SettingValue value) {
  EditedSettings result{std::string(text), false};
  for (const Container::Item& ours : object_at(value.json, lsp::skip_json_whitespace(value.json)).items) {
    const bool is_first_line = value.json.substr(0, ours.begin).find('\n') == value.json.npos;
    const std::size_t indent = is_first_line ? value.indent : indent_of_line(value.json, ours.begin).size();
    const std::string_view path[] = {ours.name};
    Result<EditedSettings> edited =
        with_setting_in(result.text, dialect, start, path,
                        {value.json.substr(ours.value, ours.end - ours.value), indent}, WhenThere::replace);
    if (!edited) return edited.error();
    result = {std::move(edited->text), result.changed || edited->changed};
  }
  return {boost::system::in_place_value, std::move(result)};
}

}  // namespace

Result<EditedSettings> with_setting(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, SettingValue value,
                                    WhenThere when_there) {
  return with_setting_in(text, dialect, {}, path, value, when_there);
}

bool has_setting(std::string_view text, JsonDialect dialect, std::span<const std::string_view> path) {
  const Result<PlainJson> plain = read_jsonc(text, dialect);
  if (!plain) return false;
  std::size_t at = lsp::skip_json_whitespace(plain->text);
  for (const std::string_view name : path) {
    if (plain->text[at] != '{') return false;
    const std::vector<Container::Item> items = object_at(plain->text, at).items;
    const auto item = std::find_if(items.begin(), items.end(),
                                   [name](const Container::Item& member) { return member.name == name; });
    if (item == items.end()) return false;
    at = item->value;
  }
  return true;
}

Result<EditedSettings> with_element(std::string_view text, JsonDialect dialect,
                                    std::span<const std::string_view> path, std::string_view key,
                                    SettingValue value) {
  const Result<EditedSettings> with_array = with_setting(text, dialect, path, {"[]"}, WhenThere::keep);
  if (!with_array) return with_array.error();
  const std::string& file = with_array->text;
  const Result<PlainJson> plain = read_jsonc(file, dialect);
  if (!plain) return plain.error();
  std::size_t at = lsp::skip_json_whitespace(plain->text);
  for (const std::string_view name : path) {
    const Container object = object_at(plain->text, at);
    const Result<std::optional<Container::Item>> member = member_of(file, object, name);
    if (!member) return member.error();
    at = (*member)->value;
  }
  if (plain->text[at] != '[') return other_shape(file, at, joined(path), "array");

  const Container array = array_at(plain->text, at);
  const Key wanted = key_of(value.json, key);
  const auto element_at = [&plain](const Container::Item& item) {
    return std::string_view(plain->text).substr(item.value, item.end - item.value);
  };
  struct Candidate {
    const Container::Item* item;
    Key key;
  };
  std::vector<Candidate> others;
  const std::string program = program_of(value.json);
  const Container::Item* same = nullptr;
  for (const Container::Item& item : array.items) {
    if (plain->text[item.value] != '{') continue;
    Key there = key_of(element_at(item), key);
    if (there.json == wanted.json) {
      same = &item;
    } else {
      others.push_back({&item, std::move(there)});
    }
  }
  for (const Candidate& other : others) {
    const auto shared = std::find_first_of(other.key.strings.begin(), other.key.strings.end(),
                                           wanted.strings.begin(), wanted.strings.end());
    if (shared == other.key.strings.end()) continue;
    if (same == nullptr && !program.empty() && program_of(element_at(*other.item)) == program) {
      same = other.item;
      continue;
    }
    return Error{fmt::format("{}: an element of {} already handles {}",
                             line_and_column(file, other.item->begin), joined(path), table::quoted(*shared)),
                 fmt::format("remove it, or remove {} from its {}", table::quoted(*shared), key)};
  }
  if (same == nullptr) return EditedSettings{with_item(file, *plain, array, {}, value), true};
  return with_members(file, dialect, same->value, value);
}

}  // namespace symbols::setup
