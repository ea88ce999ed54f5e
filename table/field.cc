#include "table/field.h"

#include <algorithm>
#include <cstddef>

namespace symbols::table {
namespace {

struct Words {
  std::string_view name;
  std::string_view title;
};

// In the enumeration's order.
constexpr std::array<Words, all_fields.size()> words = {{{"name", "NAME"},
                                                         {"kind", "KIND"},
                                                         {"range", "RANGE"},
                                                         {"selection", "SELECTION"},
                                                         {"parent", "PARENT"},
                                                         {"hover", "HOVER_INFO"},
                                                         {"detail", "DETAIL"},
                                                         {"lines", "LINES"},
                                                         {"signature", "SIGNATURE"},
                                                         {"doc", "DOC"},
                                                         {"depth", "DEPTH"},
                                                         {"children", "CHILDREN"},
                                                         {"tags", "TAGS"}}};

std::optional<Field> find(std::string_view text, std::string_view Words::*word) {
  const auto* const found = std::ranges::find(words, text, word);
  if (found == words.end()) return {};
  return all_fields[static_cast<std::size_t>(found - words.begin())];
}

}  // namespace

std::string_view field_name(Field field) {
  return words[static_cast<std::size_t>(field)].name;
}

std::string_view column_title(Field field) {
  return words[static_cast<std::size_t>(field)].title;
}

std::optional<Field> find_field(std::string_view name) {
  return find(name, &Words::name);
}

std::optional<Field> find_column(std::string_view title) {
  return find(title, &Words::title);
}

bool View::needs_hovers() const {
  return std::ranges::any_of(fields, needs_hover);
}

std::vector<Field> fields_of(Verbosity verbosity) {
  if (verbosity == Verbosity::signatures) {
    return {Field::name, Field::kind, Field::lines, Field::signature};
  }
  std::vector<Field> fields = {Field::name, Field::kind, Field::range};
  if (verbosity == Verbosity::standard || verbosity == Verbosity::full) {
    fields.insert(fields.end(), {Field::selection, Field::parent});
  }
  if (verbosity == Verbosity::full) fields.push_back(Field::hover);
  return fields;
}

}  // namespace symbols::table
