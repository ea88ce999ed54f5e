// Text as one line: any whitespace folded to single spaces, and cut to a length in Unicode scalar values
// (docs/spec.md, section 3). Code is cut without a parser, by its brackets, in any language: `(`, `[`, `{`,
// and `<` unless it compares. A wrong guess only changes how a signature is shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::table {

// Bytes of the whitespace character at the start of `text`, 0 if there is none. Whitespace has the Unicode
// property White_Space: line ends, NBSP and the typographic spaces too.
std::size_t whitespace_at(std::string_view text);

// `text` with each run of whitespace as one space, and none at the ends.
std::string fold_whitespace(std::string_view text);

// `text` (valid UTF-8) with at most `max_characters` Unicode scalar values. A longer one is cut to
// `max_characters` - 1 and `…`. 0 means no limit.
std::string cut_text(std::string_view text, std::size_t max_characters);

// Removes `start` from the start of `text`; false if it is not there.
inline bool take_start(std::string_view& text, std::string_view start) {
  const bool found = text.starts_with(start);
  if (found) text.remove_prefix(start.size());
  return found;
}

// Whether a bracket opens at `at`, which is in `code`.
bool opens_bracket(std::string_view code, std::size_t at);

// The offset from `at` on, outside the brackets that open there, of the first of the characters `ends` or of
// a bracket that closes; the size if there is none.
std::size_t find_end(std::string_view code, std::size_t at, std::string_view ends = {});

// The offset after the bracket that closes the one at `open`; the size if there is none.
std::size_t bracket_end(std::string_view code, std::size_t open);

// The offset of `name` outside brackets, at the start or directly after one of the characters `before`, and
// not as part of a longer word; npos if it is nowhere.
std::size_t find_outside_brackets(std::string_view code, std::string_view name, std::string_view before);

// `signature` with at most `max_characters`: parameters are left out from the end, so that the result stays
// (`f(a: A, …): R`). If what is around the list is too long, so is what is before the name: `… f(a: A): R`.
// If the type parameters of an alias take half of that, they go first: `type X<…> = …`. If that is too long
// as well, without a list of parameters, or with nothing after it: as cut_text() does.
std::string cut_signature(std::string_view signature, std::size_t max_characters);

}  // namespace symbols::table
