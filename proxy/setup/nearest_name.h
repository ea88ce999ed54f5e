// What a name that is not known was most likely meant to be.
#pragma once

#include <span>
#include <string_view>

namespace symbols::setup {

// Of the names that `typed` is part of or has as a part, or that at most three letters and fewer than half of
// them have to be changed in, the one with the fewest changes. Empty where none is near.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

}  // namespace symbols::setup
