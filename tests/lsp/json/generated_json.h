// JSON that is valid but unlike what servers write: duplicate, escaped or empty names, whitespace everywhere,
// strings full of what looks like structure. For the readers of raw JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/dice.h"

namespace symbols::lsp {

// The raw text of a string, quotes included, made of pieces that a careless reader takes for something else.
std::string raw_string(Dice& dice);

// The raw text of any value, up to `depth` levels of nesting.
std::string raw_value(Dice& dice, std::size_t depth);

struct RawMember {
  std::string name;       // unescaped
  std::string raw;        // the whole member as written
  std::size_t begin = 0;  // its first byte in the object
  std::size_t value = 0;  // its value's first byte
  std::size_t end = 0;    // after its value
};

struct RawObject {
  std::string text;  // from brace to brace
  std::vector<RawMember> members;
};

// An object with few different names, so that some occur twice. A tenth of the objects are empty.
RawObject raw_object(Dice& dice, std::size_t depth);

// Whitespace or none.
std::string_view raw_blanks(Dice& dice);

// The names that raw_object chooses from.
const std::vector<std::string>& member_names();

}  // namespace symbols::lsp
