#include "table/symbol_kind.h"

#include <array>
#include <charconv>

namespace symbols::table {
namespace {

// From 1 on.
constexpr std::array<std::string_view, 26> names = {
    "File",       "Module",      "Namespace", "Package",   "Class",        "Method",   "Property",
    "Field",      "Constructor", "Enum",      "Interface", "Function",     "Variable", "Constant",
    "String",     "Number",      "Boolean",   "Array",     "Object",       "Key",      "Null",
    "EnumMember", "Struct",      "Event",     "Operator",  "TypeParameter"};

char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_word(std::string_view first, std::string_view second) {
  if (first.size() != second.size()) return false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (lower_case(first[i]) != lower_case(second[i])) return false;
  }
  return true;
}

}  // namespace

std::string kind_name(std::int64_t kind) {
  if (kind >= 1 && kind <= static_cast<std::int64_t>(names.size())) {
    return std::string(names[static_cast<std::size_t>(kind - 1)]);
  }
  return std::to_string(kind);
}

std::optional<std::int64_t> find_kind(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (same_word(names[i], text)) return static_cast<std::int64_t>(i + 1);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace symbols::table
