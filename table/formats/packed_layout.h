// The layout shared by writer and reader of the `packed` format (packed_format.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "table/field.h"

namespace symbols::table {

inline constexpr std::string_view packed_version = "2.0";

// The index of each of the first twelve elements in a symbol's array.
struct PackedElement {
  static constexpr std::size_t name = 0;
  static constexpr std::size_t kind = 1;
  static constexpr std::size_t range = 2;
  static constexpr std::size_t selection = 6;
  static constexpr std::size_t parent = 10;
  static constexpr std::size_t hover = 11;
  static constexpr std::size_t count = 12;
};

// The elements among the twelve that go into `omitted`. A hover that was not requested does not: -1 is
// enough.
inline constexpr std::array packed_row_fields = {Field::name, Field::kind, Field::range, Field::selection,
                                                 Field::parent};

// The field of each of the twelve.
inline constexpr std::array<Field, PackedElement::count> packed_elements = {
    Field::name,      Field::kind,      Field::range,     Field::range,     Field::range,  Field::range,
    Field::selection, Field::selection, Field::selection, Field::selection, Field::parent, Field::hover};

constexpr bool is_packed_element(Field field) {
  return field <= Field::hover;
}

}  // namespace symbols::table
