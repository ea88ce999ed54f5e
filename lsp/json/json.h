// What we need for JSON besides RapidJSON's reader: writes strings as pure ASCII, and repairs replies that
// RapidJSON would refuse as a whole because of one bad string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// Whitespace between the tokens of JSON (RFC 8259, section 2).
constexpr bool is_json_whitespace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
// The offset of the first byte at or after `at` that is not whitespace; the text's size if there is none.
constexpr std::size_t skip_json_whitespace(std::string_view text, std::size_t at = 0) {
  while (at < text.size() && is_json_whitespace(text[at])) ++at;
  return at;
}

// Appends `utf8` as a JSON string, quotes included, pure ASCII: cclsp counts Content-Length in characters,
// and any non-ASCII byte of ours would wedge it. Invalid bytes become U+FFFD.
void append_json_string(std::string& out, std::string_view utf8);
std::string json_string(std::string_view utf8);

// Makes raw JSON pure ASCII without parsing it, for clients such as cclsp: non-ASCII characters become
// `\uXXXX`, bytes that are not valid UTF-8 `\ufffd`. In strings, where valid JSON has them, that is the same
// value to every reader. Returns `json` itself if it is ASCII already, which is checked at the speed of
// memory; else a view of `storage`, which then holds the text.
std::string_view ascii_json(std::string_view json, std::string& storage);

// Some servers cut names in the middle of a surrogate pair (`"\ud83d"`), and RapidJSON then refuses the whole
// reply. Returns `json` itself if there is nothing to repair, else a view of `storage`, which then holds a
// copy of the same length in which each escape of a lone surrogate is `\ufffd`.
std::string_view mend_lone_surrogates(std::string_view json, std::string& storage);

// The length, with both quotes, of the JSON string that `json` starts with; npos without a closing quote.
std::size_t skip_json_string(std::string_view json);

// The length in bytes of the JSON value at the start of `json`, including leading whitespace, or npos if it
// is not complete. Only strings and nesting are checked; nothing is allocated.
std::size_t skip_json_value(std::string_view json);

// The value at the start of `json`, without what follows it; empty if it is not complete.
std::string_view whole_json_value(std::string_view json);

// The text of a raw JSON string, given with its quotes; none for any other value. A lone surrogate becomes
// U+FFFD; a string with an invalid escape stays as it is.
std::optional<std::string> json_string_text(std::string_view json);

// Whether `text` is one JSON string, with its quotes, or one number (RFC 8259, sections 6 and 7), and nothing
// beside it. What UTF-8 the string holds is not looked at.
bool is_json_string_or_number(std::string_view text);

}  // namespace symbols::lsp
