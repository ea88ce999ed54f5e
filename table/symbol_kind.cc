#include "table/symbol_kind.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/number.h"

namespace symbols::table {
namespace {

// From 1 on.
constexpr std::array<std::string_view, 26> names = {
    "File",       "Module",      "Namespace", "Package",   "Class",        "Method",   "Property",
    "Field",      "Constructor", "Enum",      "Interface", "Function",     "Variable", "Constant",
    "String",     "Number",      "Boolean",   "Array",     "Object",       "Key",      "Null",
    "EnumMember", "Struct",      "Event",     "Operator",  "TypeParameter"};

}  // namespace

std::string kind_name(std::int64_t kind) {
  if (kind >= 1 && kind <= static_cast<std::int64_t>(names.size())) {
    return std::string(names[static_cast<std::size_t>(kind - 1)]);
  }
  return std::to_string(kind);
}

std::optional<std::int64_t> find_kind(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::equal(names[i], text, {}, lower_case, lower_case))
      return static_cast<std::int64_t>(i + 1);
  }
  return whole_number<std::int64_t>(text);
}

}  // namespace symbols::table
