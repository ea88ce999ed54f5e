// TOON's primitive tokens: strings in quotes and without (TOON specification 4.0, sections 4, 7.1 and 7.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::table {

// Whether a decoder would take the unquoted token for something else than a string: true, false, null or a
// number, also the forms that only older decoders take for one (05, +1).
bool is_toon_literal(std::string_view token);

// Appends `utf8` as a string cell among others separated by commas: in quotes where it needs them. Bytes that
// are not UTF-8 become U+FFFD. Also quoted, which the specification leaves open: what holds DEL, C1, U+2028,
// U+2029 or a bidirectional control, so that these can be `\uHHHH`, and what starts or ends in white space of
// any script, which some decoders trim.
void append_toon_string(std::string& out, std::string_view utf8);

struct ToonFault {
  std::size_t offset = 0;  // in bytes of the token
  std::string message;
};

// Past the quoted string at the start of `text`: its length with both quotes, npos where the closing one is
// missing.
std::size_t skip_toon_string(std::string_view text);

// Appends the text of the quoted string `token`, both quotes included.
std::optional<ToonFault> append_unquoted(std::string& out, std::string_view token);

}  // namespace symbols::table
