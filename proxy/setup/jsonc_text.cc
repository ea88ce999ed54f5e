#include "proxy/setup/jsonc_text.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "lsp/json/json_members.h"
#include "proxy/files/text_place.h"

namespace symbols::setup {
namespace {

constexpr std::size_t most_nesting = 256;

// Accepts all JSON that is not nested too deeply.
struct Acceptor : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Acceptor> {
  bool StartObject() { return ++depth <= most_nesting; }
  bool EndObject(rapidjson::SizeType) { return --depth, true; }
  bool StartArray() { return ++depth <= most_nesting; }
  bool EndArray(rapidjson::SizeType) { return --depth, true; }

  std::size_t depth = 0;
};

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

Error fault_at(std::string_view text, std::size_t offset, std::string_view what) {
  return {fmt::format("{}: {}", files::text_place(text, offset), what), {}};
}

// Replaces comments, and commas before a closing bracket, by spaces.
Result<void> blank_comments(std::string_view text, PlainJson& plain) {
  // Where the last two tokens before here begin; each byte of a word or number counts as one.
  std::size_t before_last = text.npos;
  std::size_t last = text.npos;
  for (std::size_t i = 0; i < text.size();) {
    const char c = plain.text[i];
    if (lsp::is_json_whitespace(c)) {
      ++i;
      continue;
    }
    const bool is_line = text.substr(i).starts_with("//");
    if (is_line || text.substr(i).starts_with("/*")) {
      std::size_t end = is_line ? text.find_first_of("\r\n", i) : text.find("*/", i + 2);
      if (!is_line && end == text.npos) return fault_at(text, i, "a comment without its closing */");
      end = is_line ? std::min(end, text.size()) : end + 2;
      blank_out(plain.text, i, end);
      plain.comments.push_back({i, end});
      i = end;
      continue;
    }
    const std::size_t length = c == '"' ? lsp::skip_json_string(text.substr(i)) : 1;
    if (length == text.npos) return fault_at(text, i, "a string without its closing quotation mark");
    // A comma may follow a value, not another comma or an opening bracket.
    if ((c == '}' || c == ']') && before_last != text.npos && text[last] == ',' &&
        std::string_view(",[{:").find(text[before_last]) == text.npos) {
      plain.text[last] = ' ';
      plain.trailing_commas.push_back(last);
    }
    before_last = last;
    last = i;
    i += length;
  }
  return {};
}

}  // namespace

Result<PlainJson> read_jsonc(std::string_view text, JsonDialect dialect) {
  PlainJson plain;
  plain.text = text;
  if (text.starts_with("\xEF\xBB\xBF")) blank_out(plain.text, 0, 3);
  if (dialect == JsonDialect::with_comments) {
    if (const Result<void> blanked = blank_comments(text, plain); !blanked) return blanked.error();
  }
  Acceptor acceptor;
  const std::size_t start = lsp::skip_json_whitespace(plain.text);
  const std::string_view json = std::string_view(plain.text).substr(start);
  std::string storage;
  const std::string_view mended = lsp::mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag;
  if (const rapidjson::ParseResult parsed = reader.Parse<flags>(stream, acceptor); parsed.IsError()) {
    const bool too_deep = parsed.Code() == rapidjson::kParseErrorTermination;
    return fault_at(
        text, start + parsed.Offset(),
        too_deep ? "nested too deeply for a configuration" : rapidjson::GetParseError_En(parsed.Code()));
  }
  const std::size_t behind = lsp::skip_json_whitespace(json, lsp::skip_json_value(json));
  if (behind < json.size()) return fault_at(text, start + behind, "there is text after the end of the value");
  return plain;
}

Container object_at(std::string_view plain, std::size_t begin) {
  Container object{begin, begin, {}};
  lsp::JsonMembers members(plain.substr(begin));
  std::string storage;
  while (members.next() && members.value()) {
    object.items.push_back({begin + members.member_offset(), begin + members.value_offset(),
                            begin + members.offset(),
                            std::string(lsp::unescape_json_string(members.name(), storage))});
  }
  object.end = begin + members.offset();
  return object;
}

Container array_at(std::string_view plain, std::size_t begin) {
  Container array{begin, begin + lsp::skip_json_value(plain.substr(begin)), {}};
  lsp::for_each_element(plain.substr(begin), [&](std::string_view element) {
    const auto at = static_cast<std::size_t>(element.data() - plain.data());
    const std::size_t value = lsp::skip_json_whitespace(plain, at);
    const std::size_t end = plain.find_last_not_of(lsp::json_whitespace, at + element.size() - 1) + 1;
    array.items.push_back({value, value, end, {}});
  });
  return array;
}

std::string minified(std::string_view plain, std::string_view space) {
  std::string out;
  for (std::size_t i = 0; i < plain.size();) {
    if (plain[i] == '"') {
      const std::size_t length = std::min(lsp::skip_json_string(plain.substr(i)), plain.size() - i);
      out += plain.substr(i, length);
      i += length;
    } else {
      if (!lsp::is_json_whitespace(plain[i])) out += plain[i];
      if (plain[i] == ',' || plain[i] == ':') out += space;
      ++i;
    }
  }
  return out;
}

}  // namespace symbols::setup
