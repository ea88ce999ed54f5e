// Where in a text something is, for error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symbols::files {

// "line:column" of the byte at `offset`, both from 1, the column in bytes.
std::string text_place(std::string_view text, std::size_t offset);

}  // namespace symbols::files
