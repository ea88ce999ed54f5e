#include "proxy/setup/settings_container.h"

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "lsp/json/json_members.h"

namespace symbols::setup {

Container object_at(std::string_view plain, std::size_t begin) {
  Container object{begin, begin, {}};
  lsp::JsonMembers members(plain.substr(begin));
  std::string storage;
  while (members.next() && members.value()) {
    object.items.push_back({begin + members.member_offset(), begin + members.value_offset(),
                            begin + members.offset(),
                            std::string(lsp::unescape_json_string(members.name(), storage))});
  }
  object.end = begin + members.offset();
  return object;
}

Container array_at(std::string_view plain, std::size_t begin) {
  Container array{begin, begin + lsp::skip_json_value(plain.substr(begin)), {}};
  lsp::for_each_element(plain.substr(begin), [&](std::string_view element) {
    const auto at = static_cast<std::size_t>(element.data() - plain.data());
    const std::size_t value = lsp::skip_json_whitespace(plain, at);
    const std::size_t end = plain.find_last_not_of(lsp::json_whitespace, at + element.size() - 1) + 1;
    array.items.push_back({value, value, end, {}});
  });
  return array;
}

}  // namespace symbols::setup
