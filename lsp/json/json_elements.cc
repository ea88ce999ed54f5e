#include "lsp/json/json_elements.h"

#include "lsp/json/json_members.h"

namespace symbols::lsp {

std::optional<std::size_t> for_each_element(std::string_view array,
                                            const std::function<void(std::string_view element)>& visit) {
  JsonMembers elements = JsonMembers::elements_of(array);
  std::size_t count = 0;
  while (elements.next()) {
    const std::optional<std::string_view> element = elements.value();
    if (!element) break;
    visit(*element);
    ++count;
  }
  return elements.state() == JsonMembers::State::end ? std::optional(count) : std::nullopt;
}

std::optional<std::string_view> first_element(std::string_view array) {
  JsonMembers elements = JsonMembers::elements_of(array);
  return elements.next() ? elements.value() : std::nullopt;
}

}  // namespace symbols::lsp
