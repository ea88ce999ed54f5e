// What we need of JSON beside RapidJSON's reader: strings written as pure ASCII, and replies repaired that
// RapidJSON would refuse as a whole because of one bad string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// What may stand between the tokens of JSON (RFC 8259, section 2).
inline constexpr std::string_view json_whitespace = " \t\r\n";
constexpr bool is_json_whitespace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
// The first byte at or after `at` that is none; the text's size where there is none.
constexpr std::size_t skip_json_whitespace(std::string_view text, std::size_t at = 0) {
  while (at < text.size() && is_json_whitespace(text[at])) ++at;
  return at;
}

// Appends `utf8` as a JSON string, quotes included, pure ASCII: cclsp counts Content-Length in characters,
// and any non-ASCII byte of ours would wedge it. Invalid bytes become U+FFFD.
void append_json_string(std::string& out, std::string_view utf8);
std::string json_string(std::string_view utf8);

// Appends a code point as `\uXXXX`, beyond the BMP as the two of a surrogate pair.
void append_json_escape(std::string& out, char32_t code_point);

// Servers cut names in the middle of a surrogate pair (`"\ud83d"`), which RapidJSON refuses with the whole
// reply. Returns `json` itself where there is nothing to mend, else a view of `storage`, which then holds a
// copy of the same length in which each escape of a lone surrogate reads `\ufffd`.
std::string_view mend_lone_surrogates(std::string_view json, std::string& storage);

// The text of a JSON string given without its quotes: `raw` itself where it has no escapes, else a view of
// `storage`, which then holds it. A lone surrogate reads as U+FFFD; what is no escape of JSON stays as it is.
std::string_view unescape_json_string(std::string_view raw, std::string& storage);

// Past the JSON string whose opening quote starts `json`: its length with both quotes, or npos where the
// closing one is missing.
std::size_t skip_json_string(std::string_view json);

// Past the JSON value at the start of `json`: its length in bytes, or npos where it is not complete. Strings
// and nesting are honoured, nothing else is checked, nothing is allocated. Leading whitespace counts.
std::size_t skip_json_value(std::string_view json);

// The value at the start of `json`, without what follows it; empty where it is not complete.
std::string_view whole_json_value(std::string_view json);

// The text of a raw JSON string, quotes included; none for any other value. A lone surrogate reads as U+FFFD.
std::optional<std::string> json_string_text(std::string_view json);

}  // namespace symbols::lsp
