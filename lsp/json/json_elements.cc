#include "lsp/json/json_elements.h"

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

// Removes the opening bracket and the whitespace around it; false if there is none.
bool open_array(std::string_view& text) {
  text.remove_prefix(skip_json_whitespace(text));
  if (!text.starts_with('[')) return false;
  text.remove_prefix(skip_json_whitespace(text, 1));
  return true;
}

// Removes the value at the start of the text; empty if it is not whole.
std::string_view take_value(std::string_view& text) {
  const std::string_view value = whole_json_value(text);
  text.remove_prefix(value.size());
  return value;
}

}  // namespace

std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit) {
  if (!open_array(array)) return {};
  if (array.starts_with(']')) return 0;
  for (std::size_t count = 1;; ++count) {
    const std::string_view element = take_value(array);
    if (element.empty()) return {};
    visit(element);
    array.remove_prefix(skip_json_whitespace(array));
    if (array.starts_with(']')) return count;
    if (!array.starts_with(',')) return {};
    array.remove_prefix(skip_json_whitespace(array, 1));
  }
}

std::optional<std::string_view> first_element(std::string_view array) {
  if (!open_array(array)) return {};
  const std::string_view element = take_value(array);
  if (element.empty()) return {};
  return element;
}

}  // namespace symbols::lsp
