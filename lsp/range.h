// Positions and ranges as LSP 3.17 has them (section "Basic JSON Structures").
#pragma once

#include <compare>
#include <cstdint>

namespace symbols::lsp {

// Zero-based line, and zero-based character in units of the negotiated position encoding (UTF-16 for us).
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  auto operator<=>(const Position&) const = default;
};

// Half open: `end` is the position after the last character.
struct Range {
  Position start;
  Position end;

  bool operator==(const Range&) const = default;
};

// Whether `inner` lies within `outer`; equal ranges contain each other.
inline bool contains(const Range& outer, const Range& inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

}  // namespace symbols::lsp
