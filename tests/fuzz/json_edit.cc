// Edits of raw JSON (lsp/json/raw_json.h) against the same edits of a parsed document: the result parses,
// says what it should, and nothing else has changed.
// Covers: lsp/json/*.cc
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/unicode.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz::json_edit_target {

using Allocator = rapidjson::Document::AllocatorType;
using Path = std::vector<std::string_view>;

bool is_called(const rapidjson::Value& name, std::string_view wanted) {
  return text_of(name) == wanted;
}

// The last member of the name; null where there is none.
rapidjson::Value* last_member(rapidjson::Value& object, std::string_view name) {
  rapidjson::Value* last = nullptr;
  for (auto& member : object.GetObject()) {
    if (is_called(member.name, name)) last = &member.value;
  }
  return last;
}

void set(rapidjson::Value& at, std::span<const std::string_view> path, const rapidjson::Value& value,
         Allocator& allocator) {
  if (path.empty()) {
    at.CopyFrom(value, allocator);
    return;
  }
  if (!at.IsObject()) at.SetObject();
  rapidjson::Value* member = last_member(at, path.front());
  if (member == nullptr) {
    at.AddMember(rapidjson::Value(path.front().data(), static_cast<rapidjson::SizeType>(path.front().size()),
                                  allocator),
                 rapidjson::Value(), allocator);
    member = &(at.MemberEnd() - 1)->value;
  }
  set(*member, path.subspan(1), value, allocator);
}

// Whether every name of the path is there, of duplicates the last; `found` is the value then.
bool find(const rapidjson::Value& at, std::span<const std::string_view> path,
          const rapidjson::Value*& found) {
  found = &at;
  for (const std::string_view name : path) {
    if (!found->IsObject()) return false;
    const rapidjson::Value* last = nullptr;
    for (const auto& member : found->GetObject()) {
      if (is_called(member.name, name)) last = &member.value;
    }
    if (last == nullptr) return false;
    found = last;
  }
  return true;
}

void erase(rapidjson::Value& object, std::string_view name) {
  for (auto it = object.MemberBegin(); it != object.MemberEnd();)
    it = is_called(it->name, name) ? object.EraseMember(it) : it + 1;
}

void check_result(const std::optional<std::string>& result, const rapidjson::Value& wanted,
                  std::string_view what) {
  holds(result.has_value(), what);
  const Parsed parsed(*result);
  holds(parsed.valid, "an edited object parses");
  same_text(spelled(parsed.document), spelled(wanted), what);
}

void check_edits(std::string_view object, Parsed& parsed, const Path& path, std::string_view value) {
  const Parsed new_value(value);
  const rapidjson::Value* there = nullptr;
  const bool is_there = find(parsed.document, path, there);

  const std::optional<std::string_view> found = lsp::value_at(object, path);
  holds(found.has_value() == is_there, "a value is found where it is there");
  if (found) {
    const Parsed raw(*found);
    holds(raw.valid, "a value that is found is whole");
    same_text(spelled(raw.document), spelled(*there), "the value of the last duplicate");
  }

  rapidjson::Document copy;
  copy.CopyFrom(parsed.document, copy.GetAllocator());
  set(copy, path, new_value.document, copy.GetAllocator());
  const std::optional<std::string> with = lsp::with_value_at(object, path, value);
  check_result(with, copy, "a value is set");
  holds(lsp::value_at(*with, path) == value, "a value that was set is found, byte for byte");
  const std::optional<std::string> twice = lsp::with_value_at(*with, path, value);
  holds(twice.has_value(), "an edit can be repeated");
  same_text(*twice, *with, "the same edit again changes nothing");

  copy.CopyFrom(parsed.document, copy.GetAllocator());
  for (const std::string_view name : path) erase(copy, name);
  check_result(lsp::without_members(object, path), copy, "members are removed");
}

void check_array(std::string_view json, const Parsed& parsed) {
  std::size_t seen = 0;
  const auto count = lsp::for_each_element(json, [&](std::string_view element) {
    const Parsed one(element);
    holds(one.valid, "an element is whole");
    holds(parsed.document.IsArray() && seen < parsed.document.Size(), "no element too many");
    const auto index = static_cast<rapidjson::SizeType>(seen++);
    same_text(spelled(one.document), spelled(parsed.document[index]), "elements come in order");
  });
  holds(count.has_value() == parsed.document.IsArray(), "elements are those of an array");
  if (count) holds(*count == parsed.document.Size() && seen == *count, "each element is seen");
}

// How deep the parser's values can be compared: they are walked with the stack.
bool is_deep(std::string_view json) {
  std::size_t depth = 0;
  for (const char c : json) {
    if (c == '{' || c == '[') ++depth;
  }
  return depth > 500;
}

void json_edit(std::string_view data) {
  Input input(data);
  static constexpr std::string_view names[] = {"a", "b", "", "é", "a\"\\", "id", "params", "c"};
  static constexpr std::string_view values[] = {
      "null", "{}", "[1,{\"a\":2}]", "\"\\ud83d\\ude00\"", "-1.5e3", "{\"a\":{\"b\":0}}"};
  Path path;
  for (std::size_t depth = 1 + input.below(3); depth > 0; --depth)
    path.push_back(names[input.below(std::size(names))]);
  const std::string_view value = values[input.below(std::size(values))];
  const std::string_view json = input.rest();

  std::string storage;
  const std::string_view mended = lsp::mend_lone_surrogates(json, storage);
  holds(mended.size() == json.size(), "mending keeps the length");
  std::string ascii_storage;
  const std::string_view ascii = lsp::ascii_json(json, ascii_storage);
  holds(lsp::find_non_ascii(ascii) == std::string_view::npos, "ASCII is ASCII");

  if (is_deep(json)) return;
  Parsed parsed(json);
  if (!parsed.valid) {
    // Not all that is no JSON is refused. What an edit returns is what it was given, at least outside of the
    // path.
    static_cast<void>(lsp::with_value_at(json, path, value));
    static_cast<void>(lsp::without_members(json, path));
    static_cast<void>(lsp::value_at(json, path));
    static_cast<void>(lsp::for_each_element(json, [](std::string_view) {}));
    return;
  }
  if (lsp::find_invalid_utf8(json) == std::string_view::npos) {
    const Parsed same(ascii);
    holds(same.valid, "JSON in ASCII parses");
    same_text(spelled(same.document), spelled(parsed.document), "JSON in ASCII has the same value");
  }
  if (!is_number(parsed.document)) {
    holds(Parsed(lsp::whole_json_value(json)).valid, "a whole value is found");
  }
  check_array(json, parsed);
  if (!parsed.document.IsObject()) {
    holds(!lsp::with_value_at(json, path, value) && !lsp::without_members(json, path),
          "only an object is edited");
    return;
  }
  auto member = parsed.document.MemberBegin();
  lsp::JsonMembers members(json);
  for (; members.next(); ++member) {
    holds(member != parsed.document.MemberEnd(), "no member too many");
    same_text(members.name(), text_of(member->name), "members come in order");
    same_text(spelled(Parsed(*members.value()).document), spelled(member->value), "each with its value");
  }
  holds(members.state() == lsp::JsonMembers::State::end && member == parsed.document.MemberEnd(),
        "each member is seen");
  check_edits(json, parsed, path, value);
}

SYMBOLS_FUZZ_TARGET(json_edit)

}  // namespace symbols::fuzz::json_edit_target
