// Merges the shipped settings into a user's settings file, which is JSON, in editors with comments and
// trailing commas. Indentation, line ends, comments and every byte of the user's own members stay, except
// whitespace in an empty object. (lsp/json/raw_json.h edits messages, which have no layout and no comments.)
#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/source_text.h"
#include "proxy/setup/setup_plan.h"
#include "table/escape.h"

namespace symbols::setup {
namespace {

// Replaces comments, and commas before a closing bracket, by spaces. `json` is valid.
void blank_comments(std::string& json) {
  static const RE2 token(R"re((?s)("(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|\s+|[^"/,}\]\s]+|.))re", RE2::Latin1);
  char* comma = nullptr;  // the last token so far, if it is one
  re2::StringPiece rest(json);
  for (re2::StringPiece text; RE2::Consume(&rest, token, &text);) {
    char* const begin = json.data() + (text.data() - json.data());
    if (*begin == '/') {
      std::replace_if(
          begin, begin + text.size(), [](char byte) { return byte != '\n' && byte != '\r'; }, ' ');
    } else if (!lsp::is_json_whitespace(*begin)) {
      if ((*begin == '}' || *begin == ']') && comma != nullptr) *comma = ' ';
      comma = *begin == ',' ? begin : nullptr;
    }
  }
}

// A member of an object or an element of an array, as byte offsets.
struct JsonItem {
  std::size_t begin;  // of a member: the quote of its name
  std::size_t value;
  std::size_t end;
  std::string name;  // of a member

  std::string_view value_in(std::string_view text) const { return text.substr(value, end - value); }
};

// An object or array and its items.
struct JsonItems {
  std::size_t begin;  // the opening bracket
  std::size_t end;    // after the closing one
  std::vector<JsonItem> items;
};

// The object or array that begins at `begin` of `plain`, valid JSON.
JsonItems items_at(std::string_view plain, std::size_t begin) {
  JsonItems all{begin, begin, {}};
  lsp::JsonMembers items(plain.substr(begin), plain[begin]);
  while (items.next() && items.value()) {
    const std::size_t start = plain[begin] == '{' ? items.member_offset() : items.value_offset();
    all.items.push_back(
        {begin + start, begin + items.value_offset(), begin + items.offset(), std::string(items.name())});
  }
  all.end = begin + items.offset();
  return all;
}

// The strings of an array; none of any other value.
std::vector<std::string> strings_of(std::string_view array) {
  std::vector<std::string> strings;
  lsp::for_each_element(array, [&strings](std::string_view element) {
    if (auto text = lsp::json_string_text(trim(element))) strings.push_back(std::move(*text));
  });
  return strings;
}

// The name of the program in the member "command" of an element; empty if there is none.
std::string program_of(std::string_view element) {
  const std::vector<std::string> words = strings_of(lsp::member_value(element, "command").value_or(""));
  return words.empty() ? std::string() : words.front().substr(words.front().rfind('/') + 1);
}

// Whether both are JSON, and the same value.
bool is_same(std::string_view one, std::string_view other) {
  const Result<rapidjson::Document> first = lsp::parse_json(one);
  const Result<rapidjson::Document> second = lsp::parse_json(other);
  return first && second && *first == *second;
}

// The indentation of the line of `offset`.
std::string_view indent_of_line(std::string_view text, std::size_t offset) {
  const std::size_t line = text.substr(0, offset).rfind('\n') + 1;  // npos + 1 is the start of the text
  const std::size_t end = std::min(text.find_first_not_of(" \t", line), text.size());
  return text.substr(line, end - line);
}

bool begins_its_line(std::string_view text, std::size_t offset) {
  const std::string_view indent = indent_of_line(text, offset);
  return indent.data() + indent.size() == text.data() + offset;
}

// The indentation of one level: that of the first indented line, else two spaces.
std::string indent_unit(std::string_view plain) {
  static const re2::RE2 indented(R"((?m)^(\t| [ \t]*)[ \t]*\S)");
  std::string indent = "  ";
  re2::RE2::PartialMatch(plain, indented, &indent);
  return indent;
}

// The user's file, and the edits that bring the shipped values into it. Offsets are of the file before them.
class Merge {
 public:
  // Each of the two as it is and as plain JSON; all must outlive this.
  Merge(std::string_view users, std::string_view users_plain, std::string_view shipped)
      : users_(users), plain_(users_plain), shipped_(shipped) {}

  // Merges the shipped object at `ours` into the user's value at `theirs`; `path` names it in errors.
  Result<void> object(std::size_t theirs, std::size_t ours, const std::string& path) {
    if (plain_[theirs] != '{') return not_a(theirs, path, "object");
    const JsonItems there = items_at(plain_, theirs);
    std::vector<JsonItem> missing;
    for (const JsonItem& item : items_at(shipped_, ours).items) {
      const auto same = std::ranges::find(there.items, item.name, &JsonItem::name);
      if (same == there.items.end()) {
        missing.push_back(item);
        continue;
      }
      const auto second = std::find_if(same + 1, there.items.end(),
                                       [&item](const JsonItem& other) { return other.name == item.name; });
      if (second != there.items.end()) {
        return Error{fmt::format("{}: there is a second member {}, the first one is at {}",
                                 files::text_place(users_, second->begin), table::quoted(item.name),
                                 files::text_place(users_, same->begin)),
                     "remove one of them"};
      }
      if (is_among(item.name, "$schema updateBehavior")) continue;  // ours is a default
      const Result<void> done = value(*same, item, path.empty() ? item.name : path + "." + item.name);
      if (!done) return done;
    }
    insert(there, missing);
    return {};
  }

  std::string edited() {
    std::ranges::sort(edits_, std::ranges::greater(), &Edit::begin);  // each leaves the offsets before it
    std::string out(users_);
    for (const Edit& edit : edits_) out.replace(edit.begin, edit.end - edit.begin, edit.text);
    return out;
  }

 private:
  // `text` takes the place of the bytes from `begin` to `end`.
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  Error not_a(std::size_t offset, const std::string& path, std::string_view wanted) const {
    return {fmt::format("{}: {} is not an {}", files::text_place(users_, offset),
                        path.empty() ? "the file" : path, wanted),
            "change it by hand"};
  }

  Result<void> value(const JsonItem& theirs, const JsonItem& ours, const std::string& path) {
    const std::string_view text = ours.value_in(shipped_);
    if (text.front() == '{') return object(theirs.value, ours.value, path);
    if (text.front() == '[' && trim(lsp::first_element(text).value_or("")).starts_with('{'))
      return elements(theirs, ours, path);
    if (!is_same(theirs.value_in(plain_), text)) {
      edits_.push_back(
          {theirs.value, theirs.end, laid_out(ours.value, ours.end, indent_of_line(users_, theirs.begin))});
    }
    return {};
  }

  Result<void> elements(const JsonItem& theirs, const JsonItem& ours, const std::string& path) {
    if (plain_[theirs.value] != '[') return not_a(theirs.value, path, "array");
    const JsonItems list = items_at(plain_, theirs.value);
    std::vector<JsonItem> missing;
    std::vector<const JsonItem*> taken;
    for (const JsonItem& element : items_at(shipped_, ours.value).items) {
      const Result<const JsonItem*> same = element_like(element, list, path);
      if (!same) return same.error();
      if (*same == nullptr || std::ranges::find(taken, *same) != taken.end()) {
        missing.push_back(element);
        continue;
      }
      taken.push_back(*same);
      const Result<void> done = object((*same)->value, element.value, path);
      if (!done) return done;
    }
    insert(list, missing);
    return {};
  }

  // The user's element that is to get the members of `ours`; null if there is none.
  Result<const JsonItem*> element_like(const JsonItem& ours, const JsonItems& list,
                                       const std::string& path) const {
    const JsonItem key = items_at(shipped_, ours.value).items.front();
    const std::string_view wanted = key.value_in(shipped_);
    const auto key_of = [&](const JsonItem& item) {
      return lsp::member_value(item.value_in(plain_), key.name).value_or("");
    };
    for (const JsonItem& item : list.items) {
      if (is_same(key_of(item), wanted)) return &item;
    }
    const std::string program = program_of(ours.value_in(shipped_));
    const std::vector<std::string> strings = strings_of(wanted);
    const JsonItem* same = nullptr;
    for (const JsonItem& item : list.items) {
      const std::vector<std::string> theirs = strings_of(key_of(item));
      const auto shared = std::ranges::find_first_of(theirs, strings);
      if (shared == theirs.end()) continue;
      if (same != nullptr || program.empty() || program_of(item.value_in(plain_)) != program) {
        return Error{fmt::format("{}: an element of {} already handles {}",
                                 files::text_place(users_, item.begin), path, table::quoted(*shared)),
                     fmt::format("remove it, or remove {} from its {}", table::quoted(*shared), key.name)};
      }
      same = &item;
    }
    return same;
  }

  // Makes the shipped items the first ones of a container, each on lines of its own.
  void insert(const JsonItems& into, const std::vector<JsonItem>& items) {
    if (items.empty()) return;
    const std::size_t inside = into.begin + 1;
    const std::size_t close = into.end - 1;
    const bool is_empty = into.items.empty();
    const std::string outer(indent_of_line(users_, into.begin));
    const bool has_indent = !is_empty && begins_its_line(users_, into.items.front().begin);
    const std::string indent =
        has_indent ? std::string(indent_of_line(users_, into.items.front().begin)) : outer + unit_;
    std::string text;
    for (const JsonItem& item : items)
      text += line_end_ + indent + laid_out(item.begin, item.end, indent) + ",";
    if (is_empty) text.pop_back();
    if (!has_indent) text += line_end_ + (is_empty ? outer : indent);
    const bool is_blank = lsp::skip_json_whitespace(users_, inside) == close;
    edits_.push_back({inside, is_blank ? close : inside, std::move(text)});
  }

  // The shipped text from `begin` to `end` in the user's layout, for a line indented by `indent`.
  std::string laid_out(std::size_t begin, std::size_t end, std::string_view indent) const {
    const std::size_t outer = indent_of_line(shipped_, begin).size();
    std::string out;
    for (const std::string_view line : split(shipped_.substr(begin, end - begin), '\n')) {
      const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
      if (!out.empty()) {
        out += line_end_;
        out += indent;
        for (std::size_t level = (own - std::min(own, outer)) / 2; level > 0; --level) out += unit_;
      }
      out += line.substr(own);
    }
    return out;
  }

  std::string_view users_;
  std::string_view plain_;
  std::string_view shipped_;
  std::string unit_ = indent_unit(plain_);
  std::string line_end_ = users_.find("\r\n") == users_.npos ? "\n" : "\r\n";
  std::vector<Edit> edits_;
};

Result<std::string> merged_once(std::string_view users, JsonDialect dialect, std::string_view shipped) {
  const Result<std::string> plain = read_jsonc(users, dialect);
  if (!plain) return plain.error();
  Merge merge(users, *plain, shipped);
  const Result<void> done =
      merge.object(lsp::skip_json_whitespace(*plain), lsp::skip_json_whitespace(shipped), {});
  if (!done) return done.error();
  return {boost::system::in_place_value, merge.edited()};
}

}  // namespace

Result<std::string> read_jsonc(std::string_view text, JsonDialect dialect) {
  std::string plain(text);
  if (text.starts_with("\xEF\xBB\xBF")) plain.replace(0, 3, "   ");
  rapidjson::MemoryStream stream(plain.data(), plain.size());
  rapidjson::BaseReaderHandler<> ignore;
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag;
  constexpr unsigned extra = rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag;
  const rapidjson::ParseResult parsed = dialect == JsonDialect::strict
                                            ? reader.Parse<flags>(stream, ignore)
                                            : reader.Parse<flags | extra>(stream, ignore);
  if (parsed.IsError()) {
    return Error{fmt::format("{}: {}", files::text_place(text, parsed.Offset()),
                             rapidjson::GetParseError_En(parsed.Code())),
                 {}};
  }
  if (dialect == JsonDialect::with_comments) blank_comments(plain);
  return {boost::system::in_place_value, std::move(plain)};
}

Result<std::string> merged_settings(std::string_view users, JsonDialect dialect, std::string_view shipped) {
  if (lsp::skip_json_whitespace(users) == users.size())
    return {boost::system::in_place_value, std::string(shipped)};
  Result<std::string> text = merged_once(users, dialect, shipped);
  if (!text) return text;
  // The result is read back: setup must never write a file that its program cannot read our values from.
  const Result<std::string> again = merged_once(*text, dialect, shipped);
  if (!again || *again != *text) {
    return Error{"the result would not read back as intended" +
                     (again ? std::string() : " (" + again.error().message + ")"),
                 "add the members by hand, and please report this"};
  }
  return text;
}

}  // namespace symbols::setup
