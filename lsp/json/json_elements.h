// Iterates over the elements of a raw JSON array: for lists of which only the first few are wanted, however
// long a server makes them, and for edits, which need to know where an element is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace symbols::lsp {

// Calls `visit` for each element of the array at the start of `array`, as raw JSON, and returns their number;
// what follows the array is not read. None if the text is not a whole array; elements before the fault have
// been visited by then. In elements only strings and nesting are checked. Time is linear; nothing is
// allocated, nesting costs no stack.
std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit);

// The first element of such an array. None if the array is empty, the text not an array, or the element not
// whole; what follows the element is not read.
std::optional<std::string_view> first_element(std::string_view array);

// The first ones of a list, in the server's order.
template <class T>
struct ListStart {
  std::vector<T> first;
  std::size_t total = 0;  // of the whole list
};

// Reads the first `most` elements of such an array, each of them, raw JSON, by `read`. Error `wrong`: the
// text is not a whole array, or one of them is not what it should be.
template <class T>
Result<ListStart<T>> read_list(std::string_view array, std::size_t most,
                               std::optional<T> (*read)(std::string_view element), const char* wrong) {
  ListStart<T> list;
  bool understood = true;
  const auto total = for_each_element(array, [&](std::string_view element) {
    if (list.first.size() == most || !understood) return;
    std::optional<T> value = read(element);
    understood = value.has_value();
    if (value) list.first.push_back(std::move(*value));
  });
  if (!total || !understood) return Error{wrong, {}};
  list.total = *total;
  return list;
}

}  // namespace symbols::lsp
