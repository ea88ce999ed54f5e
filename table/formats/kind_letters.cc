#include "table/formats/kind_letters.h"

#include <charconv>
#include <system_error>

#include "base/ascii.h"
#include "base/number.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

// From kind 1 on.
constexpr std::string_view letters = "LMnPcmpFCeifvkSNbaoKZEsVOT";
static_assert(letters.size() == 26);

std::optional<ReadKind> read_number(std::string_view text) {
  ReadKind read;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + 1, end, read.kind);
  if (error != std::errc{} || after == end || *after != '>') return {};
  read.length = static_cast<std::size_t>(after - text.data()) + 1;
  return read;
}

}  // namespace

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
