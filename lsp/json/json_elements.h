// The elements of a JSON array, one after another, on its raw text: for lists of which only the first few are
// wanted, however long a server makes them, and for edits, which need to know where an element stands.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace symbols::lsp {

// Calls `visit` for each element of the array at the start of `array`, as raw JSON, and gives their number;
// what follows the array is not read. None where the text is no whole array; elements before the fault have
// been visited by then. Of an element only strings and nesting are honoured. Time is linear; nothing is
// allocated, nesting costs no stack.
std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit);

// The first element of such an array. None where it is empty, or the text no array, or the element not whole;
// what stands behind the element is not read.
std::optional<std::string_view> first_element(std::string_view array);

}  // namespace symbols::lsp
