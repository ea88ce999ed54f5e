// The readers of parts of JSON against a full parse: envelopes (lsp/messages.h), members and elements, and
// edits (lsp/json/raw_json.h), after which the text parses, says what it should, and is else unchanged.
// Covers: lsp/messages.cc lsp/json/*.cc
#include "lsp/json/json.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json/raw_json.h"
#include "lsp/messages.h"
#include "lsp/unicode.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/json_reference.h"

namespace symbols::fuzz::json_target {

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;
using Path = std::vector<std::string_view>;

// `raw` as a value alone; numbers keep their digits.
std::string spelled_raw(std::string_view raw) {
  const Parsed parsed(raw);
  holds(parsed.valid, "a part of JSON is whole");
  return spelled(parsed.document);
}

// Which of two members of a name counts depends on how far a reader goes, as does a method beside an answer;
// the same holds of ids and methods that no message may have. Nothing is compared then.
bool is_ambiguous(const Value& message) {
  std::size_t ids = 0, methods = 0, answers = 0, errors = 0;
  for (const auto& member : message.GetObject()) {
    const std::string_view name = text_of(member.name);
    const Value& value = member.value;
    if (name == "id" && (++ids > 1 || !(value.IsString() || value.IsNull()))) return true;
    if (name == "method" && (++methods > 1 || !value.IsString() || is_number(value))) return true;
    if (name == "result") ++answers;
    if (name == "error") ++errors;
  }
  return answers > 1 || errors > 1 || (methods > 0 && answers + errors > 0);
}

void check_envelope(std::string_view body, const Parsed& parsed) {
  using Kind = lsp::Envelope::Kind;
  const Result<lsp::Envelope> envelope = lsp::read_envelope(body);
  if (envelope) {
    holds(envelope->id.empty() == (envelope->kind == Kind::notification), "only a notification has no id");
    holds(envelope->kind == Kind::request || envelope->kind == Kind::notification || !envelope->rest.empty(),
          "an answer has a value");
  }
  if (!parsed.valid) return;
  if (!parsed.document.IsObject()) return holds(!envelope, "what is not an object is not a message");
  if (is_ambiguous(parsed.document)) return;
  const Value* const id = last_member(parsed.document, "id");
  const Value* const method = last_member(parsed.document, "method");
  const Value* const error = last_member(parsed.document, "error");
  const bool is_error = error != nullptr && !error->IsNull();
  const bool is_answer = id != nullptr && (is_error || last_member(parsed.document, "result") != nullptr);
  holds(envelope.has_value() == (method != nullptr || is_answer),
        "a message is what has a method, or an id and an answer");
  if (!envelope) return;
  // An id may be null.
  holds((id != nullptr) == !envelope->id.empty(), "an id that is there is found");
  if (id != nullptr) same_text(spelled_raw(envelope->id), spelled(*id), "the id is the message's");
  if (method != nullptr) return same_text(envelope->method, text_of(*method), "the method is the message's");
  holds((envelope->kind == Kind::error) == is_error, "an error is one that is not null");
}

// The value at the path, of duplicates the last; null if there is none.
const Value* find(const Value& at, const Path& path) {
  const Value* found = &at;
  for (const std::string_view name : path) {
    if (found != nullptr) found = found->IsObject() ? last_member(*found, name) : nullptr;
  }
  return found;
}

void set(Value& at, std::span<const std::string_view> path, const Value& value, Allocator& allocator) {
  if (path.empty()) {
    at.CopyFrom(value, allocator);
    return;
  }
  if (!at.IsObject()) at.SetObject();
  Value* member = const_cast<Value*>(last_member(at, path.front()));
  if (member == nullptr) {
    const auto size = static_cast<rapidjson::SizeType>(path.front().size());
    at.AddMember(Value(path.front().data(), size, allocator), Value(), allocator);
    member = &(at.MemberEnd() - 1)->value;
  }
  set(*member, path.subspan(1), value, allocator);
}

void erase(Value& object, std::string_view name) {
  for (auto it = object.MemberBegin(); it != object.MemberEnd();)
    it = text_of(it->name) == name ? object.EraseMember(it) : it + 1;
}

void check_result(const std::optional<std::string>& result, const Value& wanted, std::string_view what) {
  holds(result.has_value(), what);
  same_text(spelled_raw(*result), spelled(wanted), what);
}

void check_edits(std::string_view object, const Parsed& parsed, const Path& path, std::string_view value) {
  const Parsed new_value(value);
  const Value* const there = find(parsed.document, path);
  const std::optional<std::string_view> found = lsp::value_at(object, path);
  holds(found.has_value() == (there != nullptr), "a value is found where it is there");
  if (found) same_text(spelled_raw(*found), spelled(*there), "the value of the last duplicate");

  rapidjson::Document copy;
  const auto start_over = [&] { copy.CopyFrom(parsed.document, copy.GetAllocator()); };
  start_over();
  set(copy, path, new_value.document, copy.GetAllocator());
  const std::optional<std::string> with = lsp::with_value_at(object, path, value);
  check_result(with, copy, "a value is set");
  holds(lsp::value_at(*with, path) == value, "a value that was set is found, byte for byte");
  const std::optional<std::string> twice = lsp::with_value_at(*with, path, value);
  holds(twice.has_value(), "an edit can be repeated");
  same_text(*twice, *with, "the same edit again changes nothing");

  start_over();
  for (const std::string_view name : path) erase(copy, name);
  check_result(lsp::without_members(object, path), copy, "members are removed");
}

void check_array(std::string_view json, const Parsed& parsed) {
  std::size_t seen = 0;
  const auto count = lsp::for_each_element(json, [&](std::string_view element) {
    holds(parsed.document.IsArray() && seen < parsed.document.Size(), "no element too many");
    const auto index = static_cast<rapidjson::SizeType>(seen++);
    same_text(spelled_raw(element), spelled(parsed.document[index]), "elements come in order");
  });
  holds(count.has_value() == parsed.document.IsArray(), "elements are those of an array");
  if (count) holds(*count == parsed.document.Size() && seen == *count, "each element is seen");
}

void check_members(std::string_view json, const Parsed& parsed) {
  auto member = parsed.document.MemberBegin();
  lsp::JsonMembers members(json);
  for (; members.next(); ++member) {
    holds(member != parsed.document.MemberEnd(), "no member too many");
    same_text(members.name(), text_of(member->name), "members come in order");
    same_text(spelled_raw(*members.value()), spelled(member->value), "each with its value");
  }
  holds(members.state() == lsp::JsonMembers::State::end && member == parsed.document.MemberEnd(),
        "each member is seen");
}

void json(std::string_view data) {
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

  // Values are compared by recursion.
  if (std::ranges::count_if(json, [](char c) { return c == '{' || c == '['; }) > 500) return;
  const Parsed parsed(json);
  check_envelope(json, parsed);
  if (!parsed.valid) {
    // Not everything that is not JSON is refused. It must not crash.
    static_cast<void>(lsp::with_value_at(json, path, value));
    static_cast<void>(lsp::without_members(json, path));
    static_cast<void>(lsp::value_at(json, path));
    static_cast<void>(lsp::for_each_element(json, [](std::string_view) {}));
    return;
  }
  if (lsp::find_invalid_utf8(json) == std::string_view::npos)
    same_text(spelled_raw(ascii), spelled(parsed.document), "JSON in ASCII has the same value");
  if (!is_number(parsed.document)) holds(Parsed(lsp::whole_json_value(json)).valid, "a whole value is found");
  check_array(json, parsed);
  if (parsed.document.IsObject()) {
    check_members(json, parsed);
    check_edits(json, parsed, path, value);
  } else {
    holds(!lsp::with_value_at(json, path, value) && !lsp::without_members(json, path),
          "only an object is edited");
  }
}

const Registration registration("json", json);

}  // namespace symbols::fuzz::json_target
