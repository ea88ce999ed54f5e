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

struct PlainJson {
  std::string text;  // as long as the file; comments, trailing commas and a byte order mark are spaces
  struct Comment {
    std::size_t begin;
    std::size_t end;  // of a line comment, before the line's end
  };
  std::vector<Comment> comments;             // in order
  std::vector<std::size_t> trailing_commas;  // offsets, in order
};

// `text` as plain JSON, validated to its end. Error: it is invalid, as "LINE:COLUMN: reason" (both from 1,
// the column in bytes), or nested deeper than any configuration.
Result<PlainJson> read_jsonc(std::string_view text, JsonDialect dialect);

// The positions of an object or array and its items in the file, as byte offsets.
struct Container {
  std::size_t begin;  // the opening bracket
  std::size_t end;    // after the closing one
  struct Item {
    std::size_t begin;  // of a member: the quote of its name
    std::size_t value;
    std::size_t end;
    std::string name;  // of a member
  };
  std::vector<Item> items;
};

// The object, or array, that begins at `begin` of `plain`, validated JSON, so it is whole.
Container object_at(std::string_view plain, std::size_t begin);
Container array_at(std::string_view plain, std::size_t begin);

// The JSON value `plain` without whitespace between its tokens, but for `space` after commas and colons.
std::string minified(std::string_view plain, std::string_view space = {});

}  // namespace symbols::setup
