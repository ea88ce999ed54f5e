// Looking a string up in an unordered container without a copy of it: with std::equal_to<> beside it.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace symbols {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace symbols
