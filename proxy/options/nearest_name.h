// Suggests a name for an unknown one.
#pragma once

#include <span>
#include <string_view>

namespace symbols::options {

// The nearest of the names that contain `typed` or are contained in it, or differ in at most three letters
// and less than half of them. Empty if none is near.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

}  // namespace symbols::options
