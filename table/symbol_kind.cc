#include "table/symbol_kind.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/text.h"

namespace symbols::table {
namespace {

// From 1 on.
constexpr std::array<std::string_view, 26> kind_words = {
    "File",       "Module",      "Namespace", "Package",   "Class",        "Method",   "Property",
    "Field",      "Constructor", "Enum",      "Interface", "Function",     "Variable", "Constant",
    "String",     "Number",      "Boolean",   "Array",     "Object",       "Key",      "Null",
    "EnumMember", "Struct",      "Event",     "Operator",  "TypeParameter"};
constexpr std::string_view letters = "LMnPcmpFCeifvkSNbaoKZEsVOT";
static_assert(letters.size() == kind_words.size());

std::optional<ReadKind> read_number(std::string_view text) {
  ReadKind read;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + 1, end, read.kind);
  if (error != std::errc{} || after == end || *after != '>') return {};
  read.length = static_cast<std::size_t>(after - text.data()) + 1;
  return read;
}

}  // namespace

std::string kind_name(std::int64_t kind) {
  if (kind >= 1 && kind <= static_cast<std::int64_t>(kind_words.size())) {
    return std::string(kind_words[static_cast<std::size_t>(kind - 1)]);
  }
  return std::to_string(kind);
}

std::optional<std::int64_t> find_kind(std::string_view text) {
  for (std::size_t i = 0; i < kind_words.size(); ++i) {
    if (std::ranges::equal(kind_words[i], text, {}, lower_case, lower_case))
      return static_cast<std::int64_t>(i + 1);
  }
  return whole_number<std::int64_t>(text);
}

void append_kind(std::string& out, std::int64_t kind, bool names) {
  if (kind < 1 || kind > static_cast<std::int64_t>(letters.size())) {
    out += '<';
    append_number(out, kind);
    out += '>';
  } else if (names) {
    out += kind_name(kind);
  } else {
    out += letters[static_cast<std::size_t>(kind - 1)];
  }
}

std::optional<ReadKind> read_kind(std::string_view text) {
  if (text.starts_with('<')) return read_number(text);
  std::size_t length = 0;
  while (length < text.size() && is_letter(text[length])) ++length;
  if (length == 0) return {};
  if (length == 1) {
    const std::size_t index = letters.find(text.front());
    if (index == std::string_view::npos) return {};
    return ReadKind{static_cast<std::int64_t>(index) + 1, length};
  }
  const std::string_view word = text.substr(0, length);
  const std::optional<std::int64_t> kind = find_kind(word);
  if (!kind || kind_name(*kind) != word) return {};
  return ReadKind{*kind, length};
}

}  // namespace symbols::table
