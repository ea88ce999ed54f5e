// TOON's primitive tokens: strings in quotes and without (TOON specification 4.0, sections 4, 7.1 and 7.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "table/escape.h"

namespace symbols::table {

// Whether a decoder would read the unquoted token as something other than a string: true, false, null or a
// number, including the forms that only older decoders accept as numbers (05, +1).
bool is_toon_literal(std::string_view token);

// Appends `utf8` as a string cell among others separated by commas: in quotes if needed. Bytes that are not
// UTF-8 become U+FFFD. Some strings are quoted although the specification does not require it: those with
// DEL, C1, U+2028, U+2029 or a bidirectional control, so these can be `\uHHHH`, and those that start or end
// in any Unicode whitespace, which some decoders trim.
void append_toon_string(std::string& out, std::string_view utf8);

// The length of the quoted string at the start of `text`, with both quotes; npos if the closing one is
// missing.
std::size_t skip_toon_string(std::string_view text);

// Appends the text of the quoted string `token`, both quotes included.
std::optional<EscapeFault> append_unquoted(std::string& out, std::string_view token);

}  // namespace symbols::table
