// The positions of an object's members and an array's elements in a settings file, for edits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::setup {

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

}  // namespace symbols::setup
