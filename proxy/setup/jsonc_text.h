// Settings files of editors are JSON with comments and trailing commas. With these replaced by spaces, byte
// for byte, they are plain JSON with the same offsets as the file: JSON readers find the positions, and the
// edits leave every other byte of the file unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::setup {

enum class JsonDialect {
  strict,        // as in RFC 8259
  with_comments  // also `//` and `/* */`, and a comma after the last member or element
};

// `text` as plain JSON of the same length: comments, trailing commas and a byte order mark are spaces. Error:
// it is invalid, as "LINE:COLUMN: reason" (both from 1, the column in bytes).
Result<std::string> read_jsonc(std::string_view text, JsonDialect dialect);

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
JsonItems items_at(std::string_view plain, std::size_t begin);

}  // namespace symbols::setup
