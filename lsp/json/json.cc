#include "lsp/json/json.h"

#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <array>
#include <cstring>
#include <iterator>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "lsp/unicode.h"

namespace symbols::lsp {
namespace {

// For each byte how append_json_string writes it: unchanged (0), as the short escape of this letter, or, what
// is not printable ASCII, as `\uXXXX`.
constexpr std::array<char, 256> escape_letter = [] {
  std::array<char, 256> letters{};
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = i >= 0x20 && i < 0x7F ? 0 : 'u';
  letters['"'] = '"';
  letters['\\'] = '\\';
  letters['\n'] = 'n';
  letters['\r'] = 'r';
  letters['\t'] = 't';
  return letters;
}();

// As `\uXXXX`, beyond the BMP as the two of a surrogate pair.
void append_json_escape(std::string& out, char32_t code_point) {
  const auto append = [&](unsigned unit) { fmt::format_to(std::back_inserter(out), "\\u{:04x}", unit); };
  if (code_point >= 0x10000) append(0xD7C0 + (code_point >> 10));
  append(code_point >= 0x10000 ? 0xDC00 + (code_point & 0x3FF) : code_point);
}

// The value of the four hex digits of the `\uXXXX` escape at `at`; none if there is no such escape.
std::optional<unsigned> escape_at(std::string_view json, std::size_t at) {
  if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return {};
  return whole_number<unsigned>(json.substr(at + 2, 4), 16);
}

// What may follow a number or a word in JSON.
constexpr bool ends_token(char c) {
  return c == ',' || c == ':' || c == ']' || c == '}' || c == '"' || c == '{' || c == '[' ||
         is_json_whitespace(c);
}

constexpr bool is_high_surrogate(unsigned unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
constexpr bool is_low_surrogate(unsigned unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

void append_json_string(std::string& out, std::string_view utf8) {
  out += '"';
  std::size_t plain = 0;  // start of the run that needs no escape
  std::size_t i = 0;
  while (i < utf8.size()) {
    const char letter = escape_letter[static_cast<unsigned char>(utf8[i])];
    if (letter == 0) {
      ++i;
      continue;
    }
    out.append(utf8.substr(plain, i - plain));
    if (letter == 'u') {
      const Decoded c = decode_utf8(utf8.substr(i));
      append_json_escape(out, c.code_point);
      i += c.length;
    } else {
      out += '\\';
      out += letter;
      ++i;
    }
    plain = i;
  }
  out.append(utf8.substr(plain));
  out += '"';
}

std::string json_string(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size() + 2);
  append_json_string(out, utf8);
  return out;
}

std::string_view ascii_json(std::string_view json, std::string& storage) {
  if (find_non_ascii(json) == std::string_view::npos) return json;
  storage.clear();
  storage.reserve(json.size() + json.size() / 8);
  while (!json.empty()) {
    const std::string_view ascii = json.substr(0, find_non_ascii(json));
    storage += ascii;
    json.remove_prefix(ascii.size());
    // Such characters come in runs.
    while (!json.empty() && static_cast<unsigned char>(json.front()) >= 0x80) {
      const Decoded c = decode_utf8(json);
      append_json_escape(storage, c.code_point);
      json.remove_prefix(c.length);
    }
  }
  return storage;
}

std::string_view mend_lone_surrogates(std::string_view json, std::string& storage) {
  bool copied = false;
  std::size_t at = 0;
  while ((at = json.find('\\', at)) != std::string_view::npos) {
    const std::optional<unsigned> unit = escape_at(json, at);
    if (!unit) {
      at += 2;  // the escaped character, which may be a backslash, starts no escape
      continue;
    }
    if (is_high_surrogate(*unit) && is_low_surrogate(escape_at(json, at + 6).value_or(0))) {
      at += 12;
      continue;
    }
    if (is_high_surrogate(*unit) || is_low_surrogate(*unit)) {
      if (!copied) storage.assign(json);
      copied = true;
      std::memcpy(storage.data() + at, "\\ufffd", 6);
    }
    at += 6;
  }
  return copied ? std::string_view(storage) : json;
}

std::size_t skip_json_string(std::string_view json) {
  for (std::size_t quote = json.find('"', 1); quote != std::string_view::npos;
       quote = json.find('"', quote + 1)) {
    std::size_t backslashes = 0;
    while (quote - backslashes > 1 && json[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
  }
  return std::string_view::npos;
}

std::size_t skip_json_value(std::string_view json) {
  std::size_t depth = 0;
  for (std::size_t i = skip_json_whitespace(json); i < json.size(); i = skip_json_whitespace(json, i)) {
    const char c = json[i];
    if (depth == 0 && (c == '}' || c == ']' || c == ',' || c == ':')) return i;  // the value is missing
    if (c == '"') {
      const std::size_t length = skip_json_string(json.substr(i));
      if (length == std::string_view::npos) return length;
      i += length;
    } else if (ends_token(c)) {
      ++i;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
    } else {
      while (i < json.size() && !ends_token(json[i])) ++i;
    }
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view whole_json_value(std::string_view json) {
  const std::size_t length = skip_json_value(json);
  return length == std::string_view::npos ? std::string_view() : json.substr(0, length);
}

std::optional<std::string> json_string_text(std::string_view json) {
  if (json.size() < 2 || json.front() != '"' || skip_json_string(json) != json.size()) return {};
  const std::string_view raw = json.substr(1, json.size() - 2);
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  const Result<rapidjson::Document> text = parse_json(json);
  return text ? std::string(text->GetString(), text->GetStringLength()) : std::string(raw);
}

bool is_json_string_or_number(std::string_view text) {
  if (!text.starts_with('"') && !text.starts_with('-') && (text.empty() || !is_digit(text.front())))
    return false;
  std::string storage;
  const std::string_view mended = mend_lone_surrogates(text, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  rapidjson::BaseReaderHandler<> any;
  const bool is_valid = !rapidjson::Reader().Parse<rapidjson::kParseStopWhenDoneFlag>(stream, any).IsError();
  return is_valid && stream.Tell() == text.size();
}

}  // namespace symbols::lsp
