#include "proxy/setup/jsonc_text.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/source_text.h"

namespace symbols::setup {
namespace {

// The length of the comment that `text` starts with; 0 if there is none.
std::size_t comment_length(std::string_view text) {
  if (text.starts_with("//")) return std::min(text.find('\n'), text.size());
  if (text.starts_with("/*")) return std::min(text.find("*/", 2), text.size() - 2) + 2;
  return 0;
}

// Replaces comments, and commas before a closing bracket, by spaces. `json` is valid.
void blank_comments(std::string& json) {
  std::optional<std::size_t> comma;  // the last token so far, if it is one
  for (std::size_t i = 0; i < json.size();) {
    const char c = json[i];
    const std::string_view rest = std::string_view(json).substr(i);
    std::size_t length = comment_length(rest);
    if (length > 0) {
      std::replace_if(
          json.begin() + static_cast<std::ptrdiff_t>(i),
          json.begin() + static_cast<std::ptrdiff_t>(i + length),
          [](char byte) { return byte != '\n' && byte != '\r'; }, ' ');
    } else {
      length = c == '"' ? std::min(lsp::skip_json_string(rest), rest.size()) : 1;
      if (!lsp::is_json_whitespace(c)) {
        if ((c == '}' || c == ']') && comma) json[*comma] = ' ';
        comma = c == ',' ? std::optional(i) : std::nullopt;
      }
    }
    i += length;
  }
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

}  // namespace symbols::setup
