// What writer and reader of the `packed` format agree on (packed_format.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "table/field.h"

namespace symbols::table {

inline constexpr std::string_view packed_version = "2.0";

// Where in a symbol's array each of the first twelve begins.
struct PackedElement {
  static constexpr std::size_t name = 0;
  static constexpr std::size_t kind = 1;
  static constexpr std::size_t range = 2;
  static constexpr std::size_t selection = 6;
  static constexpr std::size_t parent = 10;
  static constexpr std::size_t hover = 11;
  static constexpr std::size_t count = 12;
};

// Those of the twelve whose absence has to be told: where no hover was asked for, -1 says enough.
inline constexpr std::array packed_row_fields = {Field::name, Field::kind, Field::range, Field::selection,
                                                 Field::parent};

constexpr bool is_packed_element(Field field) {
  return field <= Field::hover;
}

}  // namespace symbols::table
