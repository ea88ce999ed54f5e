// Where in a settings file the members of an object and the elements of an array stand, for edits there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::setup {

// Where an object or array and what it holds stand in the file, as byte offsets.
struct Container {
  std::size_t begin;  // the opening bracket
  std::size_t end;    // behind the closing one
  struct Item {
    std::size_t begin;  // of a member: the quote of its name
    std::size_t value;
    std::size_t end;
    std::string name;  // of a member
  };
  std::vector<Item> items;
};

// Of all three `plain` is JSON that has been read to its end, so that a whole value is found.

// The offset of the first byte from `at` on that is no blank.
std::size_t start_of_value(std::string_view plain, std::size_t at);

// The object, or array, that begins at `begin`.
Container object_at(std::string_view plain, std::size_t begin);
Container array_at(std::string_view plain, std::size_t begin);

}  // namespace symbols::setup
