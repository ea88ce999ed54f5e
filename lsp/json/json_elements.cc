#include "lsp/json/json_elements.h"

#include <algorithm>

#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

}  // namespace

std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit) {
  skip_blanks(array);
  if (!array.starts_with('[')) return {};
  array.remove_prefix(1);
  skip_blanks(array);
  if (array.starts_with(']')) return 0;
  for (std::size_t count = 0;;) {
    skip_blanks(array);
    if (array.empty() || array.front() == ',' || array.front() == ']') return {};
    const std::size_t length = skip_json_value(array);
    if (length == 0 || length == std::string_view::npos) return {};
    visit(array.substr(0, length));
    ++count;
    array.remove_prefix(length);
    skip_blanks(array);
    if (array.starts_with(']')) return count;
    if (!array.starts_with(',')) return {};
    array.remove_prefix(1);
  }
}

}  // namespace symbols::lsp
