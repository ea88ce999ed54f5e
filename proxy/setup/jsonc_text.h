// Settings files of editors are JSON with comments and trailing commas. Blanked out, byte for byte, they are
// plain JSON, and what stands at an offset there stands at the same one in the file: readers of JSON find the
// places, and the edits leave every other byte of the file alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace symbols::setup {

enum class JsonDialect {
  strict,        // as RFC 8259 has it
  with_comments  // also `//` and `/* */`, and a comma behind the last member or element
};

struct PlainJson {
  std::string text;  // as long as the file; comments, their commas and a byte order mark are blanks
  struct Comment {
    std::size_t begin;
    std::size_t end;  // of one that ends with its line, before the line's end
  };
  std::vector<Comment> comments;             // in order
  std::vector<std::size_t> trailing_commas;  // offsets, in order
};

// `text` as plain JSON, which has been read to its end. Error: it is none, as "LINE:COLUMN: reason" (both
// from 1, the column in bytes), or nested deeper than any configuration is.
Result<PlainJson> read_jsonc(std::string_view text, JsonDialect dialect);

// "LINE:COLUMN" of the byte at `offset`.
std::string line_and_column(std::string_view text, std::size_t offset);

// The JSON value `plain` without the blanks between its parts: equal for two values that differ in nothing
// else.
std::string minified(std::string_view plain);

}  // namespace symbols::setup
